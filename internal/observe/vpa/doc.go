// Package vpa reads what VerticalPodAutoscaler objects recommend.
//
// It reads through the watch cache, which begins to watch the kind when the
// first object asks for it. A cluster without that kind is thus not asked for
// it until someone needs it, and then only once in a while. The recommendation
// read is the target: it is within the bounds that the VPA's own policy sets.
// Its lower and upper bounds say how sure the VPA is, which is for its own
// updater; how far and how soon a size may change is decided elsewhere.
package vpa
