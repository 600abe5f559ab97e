// Package advise is the verb that says what another autoscaler would do for the
// workloads of a cluster.
package advise
