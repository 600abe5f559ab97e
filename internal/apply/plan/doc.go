// Package plan says what one round of resizes does to which pod. It is pure and
// knows no Kubernetes type: the controller calls it with the pods of a cluster,
// a replay with those of its plant, so what a replay shows is what will happen.
//
// What is not done in a round is planned again in the next one, from what the
// pods then look like. Nothing has to be remembered.
//
// # How fast
//
// More is given to every pod at once, as fast as the API server takes it: whoever
// grows needs it now, and nobody can be hurt by it. Less is taken from a tenth of
// the pods in a round, at least one, and pods whose resize is still in progress
// count as part of it. Where a pod is to have more of one resource and less of
// another it gets the more first. Pods that are not ready come first, they have
// the least to lose, but for those that are starting: a new pod that has the size
// of its template because no webhook gave it another may get more at once, and
// loses what it has too much once it is ready. Then come those that were resized the longest ago, so that no pod
// has its second turn while another waits for its first.
//
// What takes a pod out of service, an eviction or a resize that restarts a
// container, happens to one pod in a round, and to a ready pod only while every
// other one is ready too.
//
// # When a resize gets stuck
//
// A node that has no room now defers the resize. That is waited for, but not for
// ever. A node that will never have room says that it is infeasible. Then, and
// when the API server refuses a resize, the pod is evicted if that is allowed;
// otherwise it stays as it is and the plan says so. A pod is never evicted in its
// first minutes: whatever goes wrong with the size of new pods, pods are not
// replaced in a tight loop.
package plan
