// Package v1alpha1 is the API of Tidemark: one kind that people write,
// WorkloadAutoscaler, in the group autoscaling.tidemark.dev, and two that only
// the controller writes, WorkloadHistory and WorkloadCourse.
//
// The smallest useful object says what to scale, how far, and on which
// evidence:
//
//	apiVersion: autoscaling.tidemark.dev/v1alpha1
//	kind: WorkloadAutoscaler
//	metadata: {name: web}
//	spec:
//	  targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
//	  replicas: {min: 2, max: 20}
//	  metrics:
//	  - type: Resource
//	    resource: {name: cpu, target: {averageUtilization: 60}}
//
// Everything else is added to it a field at a time. Metrics have targets, as
// in autoscaling/v2, or watermarks, as in the Watermark KEP. Behavior holds
// the rules of both. Containers and vertical let requests change as well;
// intervals choose replicas and requests together, as HVPA-EP-0001 proposes;
// learn takes bounds and targets from history, as the Tortoise design
// proposes.
//
// # Defaults
//
// A field that is left out stays out: no default is written into the stored
// object, neither by the API server nor by the controller (replicas.requested,
// which belongs to whoever scales the object, is no default). What you applied is
// what you read back, a tool that compares the two sees no difference, and a
// better default reaches every object that did not choose. Defaults live in
// package policy, and the comment of each field names its own.
//
// # Rules
//
// What can never work is refused by the API server, by the schema and the CEL
// rules that stand as markers at the types; each message says what to do. What
// depends on the workload, the cluster or the moment, such as a time zone's
// name or a request that a utilization needs, is checked by package policy and
// told in the status.
//
// Quantities are digits with an optional suffix, such as 500m, 2, 1.5 or 4Gi.
// Exponents such as 1e3 are legal elsewhere in Kubernetes and refused here,
// because to compare a quantity with 1e9999999 takes seconds, and with larger
// ones far longer. Rules are checked even where the schema has refused a value
// already, so those that compare quantities step around an exponent
// themselves: an e that no i follows, as it does in 2Ei.
//
// +kubebuilder:object:generate=true
// +groupName=autoscaling.tidemark.dev
package v1alpha1
