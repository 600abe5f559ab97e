// Package live looks at a real cluster: it is the Observer of the controller.
//
// One look at a workload is a fixed list of steps, and each place to look at is
// one line of a list, in sources.go. The target and its pods come from watches,
// everything else from the snapshot that all objects share. So a workload at
// rest costs no request of its own.
//
// Setup and CacheOptions prepare the manager whose cache is read.
package live
