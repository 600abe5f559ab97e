// Package listing reads the autoscalers and workloads of a live cluster, for whoever
// looks at all of them.
package listing
