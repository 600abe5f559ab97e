// Package podsum sums up what the pods of a workload do together, for everyone who
// shows it.
package podsum
