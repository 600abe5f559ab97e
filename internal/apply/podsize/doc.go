// Package podsize says what a decided size means for one pod: which fields of
// its containers become what.
//
// It is pure and is used twice, for running pods that are resized and for new
// pods that are given their size on admission, so that both get the same.
//
// Three rules hold whatever was decided. A limit is never below its request. A
// Guaranteed pod stays Guaranteed: its limits follow its requests. A Burstable
// pod stays Burstable, because the API server refuses to change the class of a
// running pod; where request and limit would meet in every container, one
// request stays a thousandth of a core below.
package podsize
