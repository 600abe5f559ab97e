// Package past is what Prometheus knows of a workload: the controller's own series,
// a point a minute, for weeks before anyone began to look.
//
// It is asked for in pieces of two days, of one workload at a time, when someone wants
// to see them. The pieces of a few workloads are kept, those that were asked for last.
package past
