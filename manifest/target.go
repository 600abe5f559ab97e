package manifest

import (
	"cmp"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Target is the workload to scale. Made from a Deployment or a StatefulSet it
// knows the pod template, so that rules about requests and containers can be
// checked; made from a reference it does not, and they are left to the
// cluster.
type Target struct {
	// APIVersion may be left out for Kubernetes' own workloads.
	APIVersion string `json:"apiVersion,omitempty"`
	// Kind is the kind of the workload, such as Deployment.
	Kind string `json:"kind,omitempty"`
	// Name is the name of the workload.
	Name string `json:"name,omitempty"`

	namespace string
	template  *corev1.PodTemplateSpec
	replicas  *int32
}

// Deployment is a target with a known pod template.
func Deployment(d *appsv1.Deployment) Target {
	return Reference("apps/v1", "Deployment", d.Name).In(d.Namespace).WithTemplate(d.Spec.Template).WithReplicas(d.Spec.Replicas)
}

// StatefulSet is a target with a known pod template.
func StatefulSet(s *appsv1.StatefulSet) Target {
	return Reference("apps/v1", "StatefulSet", s.Name).In(s.Namespace).WithTemplate(s.Spec.Template).WithReplicas(s.Spec.Replicas)
}

// Reference is anything with a scale subresource, by its name.
func Reference(apiVersion, kind, name string) Target {
	return Target{APIVersion: apiVersion, Kind: kind, Name: name}
}

// In returns the target in a namespace, which the autoscaler then is in too.
func (t Target) In(namespace string) Target {
	t.namespace = namespace
	return t
}

// WithTemplate returns the target with the template its pods are made from.
func (t Target) WithTemplate(template corev1.PodTemplateSpec) Target {
	t.template = &template
	return t
}

// WithReplicas returns the target with the count its manifest states. Every
// time such a manifest is applied, it undoes what an autoscaler did.
func (t Target) WithReplicas(replicas *int32) Target {
	t.replicas = replicas
	return t
}

// ownVersions are the API versions of Kubernetes' own scalable workloads.
var ownVersions = map[string]string{
	"Deployment":            "apps/v1",
	"StatefulSet":           "apps/v1",
	"ReplicaSet":            "apps/v1",
	"ReplicationController": "v1",
}

// withVersion fills in the API version where only one can be meant.
func (t Target) withVersion() Target {
	t.APIVersion = cmp.Or(t.APIVersion, ownVersions[t.Kind])
	return t
}
