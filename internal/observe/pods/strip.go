package pods

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// Strip keeps of a pod what an observation, a resize or a look at its owner
// reads. It is a transform of the cache: it changes the pod it is given.
//
// What is kept must be enough for resourcehelpers.PodRequests to give the same
// answer as for the whole pod.
func Strip(in any) (any, error) {
	if gone, ok := in.(toolscache.DeletedFinalStateUnknown); ok {
		stripped, err := Strip(gone.Obj)
		gone.Obj = stripped
		return gone, err
	}
	pod, ok := in.(*corev1.Pod)
	if !ok {
		return nil, fmt.Errorf("stripping a pod: got %T", in)
	}
	s := &pod.Status
	return &corev1.Pod{
		TypeMeta:   pod.TypeMeta,
		ObjectMeta: stripMeta(&pod.ObjectMeta),
		Spec: corev1.PodSpec{
			NodeName: pod.Spec.NodeName, PriorityClassName: pod.Spec.PriorityClassName, RestartPolicy: pod.Spec.RestartPolicy,
			Resources: shareRequirements(pod.Spec.Resources), Overhead: shareList(pod.Spec.Overhead), ActiveDeadlineSeconds: pod.Spec.ActiveDeadlineSeconds,
			Containers: StripContainers(pod.Spec.Containers), InitContainers: StripContainers(pod.Spec.InitContainers),
		},
		Status: corev1.PodStatus{
			ObservedGeneration: s.ObservedGeneration, Phase: s.Phase, Conditions: stripConditions(s.Conditions), Reason: s.Reason, Message: s.Message,
			StartTime: s.StartTime, QOSClass: s.QOSClass, Resize: s.Resize, Resources: shareRequirements(s.Resources),
			AllocatedResources: shareList(s.AllocatedResources),
			ContainerStatuses:  stripStatuses(s.ContainerStatuses), InitContainerStatuses: stripStatuses(s.InitContainerStatuses),
		},
	}, nil
}

// stripMeta keeps who the pod is and whom it belongs to. Of its annotations
// only ours are kept, and the one that we may write: others' can be as large as the pod
// itself.
func stripMeta(m *metav1.ObjectMeta) metav1.ObjectMeta {
	out := metav1.ObjectMeta{
		Name: m.Name, Namespace: m.Namespace, UID: m.UID, ResourceVersion: m.ResourceVersion, Generation: m.Generation, Labels: m.Labels,
		OwnerReferences: m.OwnerReferences, CreationTimestamp: m.CreationTimestamp, DeletionTimestamp: m.DeletionTimestamp,
	}
	for i := range m.ManagedFields {
		// When a pod was last resized decides whose turn it is; which fields
		// that wrote is most of the entry.
		if f := &m.ManagedFields[i]; f.Subresource == "resize" {
			out.ManagedFields = append(out.ManagedFields, metav1.ManagedFieldsEntry{Manager: f.Manager, Operation: f.Operation, Time: f.Time,
				Subresource: f.Subresource})
		}
	}
	for key, value := range m.Annotations {
		if strings.HasPrefix(key, v1alpha1.GroupVersion.Group+"/") || key == corev1.PodDeletionCost {
			if out.Annotations == nil {
				out.Annotations = map[string]string{}
			}
			out.Annotations[key] = value
		}
	}
	return out
}

// StripContainers keeps of containers what they request, and how that may be
// changed. Those that are the same are shared.
func StripContainers(in []corev1.Container) []corev1.Container {
	if in == nil {
		return nil
	}
	out := make([]corev1.Container, len(in))
	for i := range in {
		c := &in[i]
		out[i] = corev1.Container{Name: c.Name, Resources: *shareRequirements(&c.Resources), ResizePolicy: c.ResizePolicy, RestartPolicy: c.RestartPolicy}
	}
	return shareContainers(out)
}

func stripStatuses(in []corev1.ContainerStatus) []corev1.ContainerStatus {
	if in == nil {
		return nil
	}
	out := make([]corev1.ContainerStatus, len(in))
	for i := range in {
		s := &in[i]
		out[i] = corev1.ContainerStatus{
			Name: s.Name, Ready: s.Ready, Started: s.Started, RestartCount: s.RestartCount, State: s.State, LastTerminationState: s.LastTerminationState,
			Resources: shareRequirements(s.Resources), AllocatedResources: shareList(s.AllocatedResources),
		}
	}
	return out
}

// readConditions are the types of conditions that somebody reads.
var readConditions = []corev1.PodConditionType{
	corev1.PodReady, corev1.PodScheduled, corev1.DisruptionTarget, corev1.PodResizePending, corev1.PodResizeInProgress,
}

func stripConditions(in []corev1.PodCondition) []corev1.PodCondition {
	var out []corev1.PodCondition
	for i := range in {
		if slices.Contains(readConditions, in[i].Type) {
			out = append(out, in[i])
		}
	}
	return slices.Clip(out)
}
