// Package live lets the workloads of a cluster be replayed: on the demand that its feed
// has seen, or that Prometheus knows, with pods as they are now.
package live
