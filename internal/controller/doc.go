// Package controller is the loop: it looks at each WorkloadAutoscaler once a
// sync period, decides, acts, and says why.
//
// Reconcile reads as numbered steps. Everything between them is elsewhere: the
// cluster is read through the port of package observe, changed through the port
// of package apply, and what lies between is the engine. A round leaves one
// report behind, and publishing it is the only write to an object's status.
//
// No worker waits for a source. A look whose answers are under way is left, and
// Reconcile is called again when they have come; looks are those that are not
// over. Why that is so is in docs/decisions/0009-a-look-is-left.md.
//
// # What is remembered where
//
// The status holds the memory of an object, so that a restart or a change of
// leader in the middle of a window changes nothing. A workload at rest causes no
// write: moments that merely moved on are not written, and recall makes up for
// that in the direction that holds changes back. What takes weeks to learn is in
// a WorkloadHistory, written every ten minutes and when the controller stops.
//
// # What is never done
//
// Nothing is scaled while the target cannot be read, while two objects or a
// foreign autoscaler share it, or while the spec is invalid. Deleting an object
// leaves its workload as it is, so there is no finalizer.
package controller
