// Package nodes measures the room of a workload's nodes: what its pods may use
// beyond what they request, because others leave it.
//
// # What is asked
//
// What nodes have for pods is listed once in a few minutes, and what they use once
// in a period. Both lists are for the whole cluster and shared through the snapshot
// by every object, so they cost the same for one object as for a thousand. What of
// a node's usage is the workload's own is known from its pods.
//
// # What is not known
//
// A node that nobody measured, or not for a while, is left out, and where the nodes
// that are known hold less than half of the requests there is no room to speak of:
// unknown is never zero, and never anything else. Usage of our own pods that was
// not measured counts as that of others. Where a right is missing the lists are not
// had, which is logged once and said at every object that wants to know.
package nodes
