// Package watched is the feed of a cluster: every WorkloadAutoscaler that the caller
// may see, as its status says it, from the moment on at which one began to look.
//
// It asks with the rights of whoever started it, and no others. Who loses them sees
// nothing any more, also not what was seen before. What is kept is bounded, however
// many objects there are.
package watched
