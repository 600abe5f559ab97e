// Package interval chooses replicas and requests together, from the total of
// a resource that a workload needs.
//
// For every replica count there is an interval of totals (Table). A total says
// how many replicas there should be, and the rest is division: the request of
// a pod is the total over the replicas. Because only the total counts, the
// result does not depend on the route to it. Scaling in waits below the
// interval's lower edge by an overlap, so a total near an edge does not flap.
//
// This is the design of HVPA-EP-0001. docs/intervals.md (H1 to H11) says how
// its unclear places are read.
package interval
