// Package objects reads the autoscalers and workloads of a live cluster, for the
// verbs that look at all of them.
package objects
