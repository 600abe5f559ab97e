package live

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/tidemark/tidemark/internal/observe/pods"
)

var stripManagedFields = cache.TransformStripManagedFields()

// stripWorkload keeps of a workload what package target reads, and who wakes its
// object: most of one is a template that nobody here looks at. Of ReplicaSets, of
// which every Deployment leaves several old ones behind, there is only the metadata,
// unless one is a target. It is a transform of the cache.
func stripWorkload(in any) (any, error) {
	switch w := in.(type) {
	case *metav1.PartialObjectMetadata:
		return &metav1.PartialObjectMetadata{TypeMeta: w.TypeMeta, ObjectMeta: stripMeta(&w.ObjectMeta)}, nil
	case *appsv1.Deployment:
		out := &appsv1.Deployment{TypeMeta: w.TypeMeta, ObjectMeta: stripMeta(&w.ObjectMeta)}
		out.Spec.Replicas, out.Spec.Selector, out.Spec.Template = w.Spec.Replicas, w.Spec.Selector, stripTemplate(&w.Spec.Template)
		out.Status.Replicas = w.Status.Replicas
		for _, c := range w.Status.Conditions {
			if c.Type == appsv1.DeploymentReplicaFailure {
				out.Status.Conditions = append(out.Status.Conditions, c)
			}
		}
		return out, nil
	case *appsv1.StatefulSet:
		out := &appsv1.StatefulSet{TypeMeta: w.TypeMeta, ObjectMeta: stripMeta(&w.ObjectMeta)}
		out.Spec.Replicas, out.Spec.Selector, out.Spec.Template = w.Spec.Replicas, w.Spec.Selector, stripTemplate(&w.Spec.Template)
		out.Status.Replicas = w.Status.Replicas
		return out, nil
	}
	return stripManagedFields(in)
}

// stripMeta keeps who a workload is and whom it belongs to.
func stripMeta(m *metav1.ObjectMeta) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: m.Name, Namespace: m.Namespace, UID: m.UID, ResourceVersion: m.ResourceVersion, Generation: m.Generation,
		OwnerReferences: m.OwnerReferences, DeletionTimestamp: m.DeletionTimestamp,
	}
}

func stripTemplate(t *corev1.PodTemplateSpec) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		Containers: pods.StripContainers(t.Spec.Containers), InitContainers: pods.StripContainers(t.Spec.InitContainers),
	}}
}
