// Package target reads what a workload says about its own size: how many pods
// it asks for and has, how they are found, and what its template requests.
//
// Deployments, StatefulSets, ReplicaSets and our own objects come from the
// watch cache, so looking at them costs no request. Any other kind is read
// through its scale subresource. That is a request, and its answer is shared
// for a moment, so that one look at a workload causes one. The pod template of
// such a kind is read from spec.template of the object itself if that is
// permitted, and seldom: it only matters while there are no pods.
//
// The containers here are the template's. Decided requests do not live there
// but in the pods, and Now chooses between the two.
package target
