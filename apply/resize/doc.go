// Package resize brings running pods to the size that was decided: in place
// through the resize subresource of the pod, or by eviction where that is
// allowed and nothing else helps.
//
// A pure function, plan, looks at the pods as they are in the cache and says
// what to do in this round; the Applier does it and asks nothing. What is not
// done in a round is planned again in the next one, from what the pods then
// look like, so nothing has to be remembered.
//
// # How fast
//
// Not all pods move at once. A round resizes a tenth of the pods, at least one,
// and pods whose resize is still in progress count as part of it. Pods that are
// not ready come first: they have the least to lose. What takes a pod out of
// service, an eviction or a resize whose resizePolicy restarts a container,
// happens to one pod in a round, and to a ready pod only while every other one
// is ready too.
//
// # When a resize gets stuck
//
// The kubelet says Deferred when the node has no room right now. That is
// waited for, but not for ever. It says Infeasible when the node will never
// have room. Then, and when the API server refuses a resize, the pod is
// evicted if vertical.update is InPlaceOrRecreate; InPlace leaves it as it is
// and says so. Evictions go through the eviction API, so disruption budgets
// hold: a budget that says no is no error, it is waited for. A pod is never
// evicted in its first minutes: whatever goes wrong with the size of new pods,
// pods are not replaced in a tight loop.
package resize
