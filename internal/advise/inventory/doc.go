// Package inventory finds the workloads of a cluster and their past in
// Prometheus, by the series of kube-state-metrics and cadvisor.
//
// Who scales what is known of HPAs alone there, and not all of it: their bounds and
// targets, not their behavior. A cluster knows the rest, and only the past is asked
// of Prometheus then.
package inventory
