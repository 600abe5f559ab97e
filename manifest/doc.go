// Package manifest builds autoscalers: a target and a maximum are enough, and
// everything else has Kubernetes' own defaults.
//
// The fields are those of the cdk8s-plus design for HorizontalPodAutoscalers:
// flat metrics whose quantity implies the type of the target, and policies as
// plain lists. One Autoscaler becomes an autoscaling/v2
// HorizontalPodAutoscaler or a WorkloadAutoscaler, as an object or as YAML
// that is the same byte for byte every time.
//
// What cannot work is refused before a cluster sees it: what the API server
// would refuse, and what it would accept although nothing can come of it, such
// as a utilization of requests that the pods do not have. All faults are told
// at once, each with its path and its remedy, as a fault.List.
//
// The package has no client. Status is what a cluster reports, so it can be
// neither given nor emitted.
package manifest
