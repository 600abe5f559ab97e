// Package deletioncost tells Kubernetes which pods are to go first when the count
// falls, by the annotation controller.kubernetes.io/pod-deletion-cost.
//
// Pods are written to only when a decision removes some, and what was written is taken
// back from those that stay. A cost that someone else set is left alone. Nothing depends
// on it: where pods cannot be written, that is told, and the count falls all the same.
package deletioncost
