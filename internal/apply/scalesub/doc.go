// Package scalesub sets the count of a workload's pods through its scale
// subresource, so that any kind that has one can be scaled without the
// controller knowing the kind.
//
// A change costs two requests: the scale is read, and written with the version
// it was read at. It is written only where the live count is still the one
// that the decision started from. A count that is as wanted costs none.
package scalesub
