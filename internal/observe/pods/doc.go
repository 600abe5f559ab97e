// Package pods finds the pods of a workload through their owners, and the
// workload of a pod.
//
// Pods are indexed by the UID of their controller, and so are ReplicaSets, of
// which only the metadata is kept. A Deployment's pods are then found in two
// steps, a StatefulSet's in one, and a Rollout's like a Deployment's: the cost is
// that of the workload's own pods, whatever else is in the namespace. Pods
// that merely have the right labels are not counted.
//
// Some kinds own their pods through objects nobody here knows of. For them,
// and only when no pod is found through owners, the selector of the kind's
// scale subresource decides. The index of labels that this needs is built when
// the first such workload shows up, since it costs memory for every label of
// every pod. One label of the selector leads to the pods, the rest of the
// selector is compared with each of them.
//
// Strip keeps the memory that pods take small: the cache holds what a decision
// or a resize reads and nothing else.
package pods
