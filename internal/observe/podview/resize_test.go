package podview_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/internal/observe/podview"
	"github.com/tidemark/tidemark/scale"
)

// resized is a pod that was asked to grow from 500m to 900m, with what its
// kubelet says of that.
func resized(has string, conditions ...corev1.PodCondition) *corev1.Pod {
	pod := web()
	pod.Generation = 2
	pod.Spec.Containers[0].Resources = requests("900m")
	told, proxy := requests(has), requests("100m")
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", Resources: &told}}
	pod.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "proxy", Resources: &proxy}}
	pod.Status.Conditions = append(pod.Status.Conditions, conditions...)
	return pod
}

// silent is such a pod whose kubelet tells no sizes.
func silent(conditions ...corev1.PodCondition) *corev1.Pod {
	pod := resized("500m", conditions...)
	pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses = nil, nil
	return pod
}

func TestWhatIsInForce(t *testing.T) {
	said := func(kind corev1.PodConditionType, reason string, generation int64) corev1.PodCondition {
		return corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, Reason: reason, ObservedGeneration: generation,
			LastTransitionTime: metav1.NewTime(later)}
	}
	cpu := func(a scale.Amount) scale.Resources { return scale.Resources{}.With(scale.CPU, a) }
	for name, tc := range map[string]struct {
		pod   *corev1.Pod
		has   scale.Resources
		state scale.Resize
		since time.Time
	}{
		"done":                         {resized("900m"), scale.Resources{}, scale.NoResize, time.Time{}},
		"nobody has looked at it yet":  {resized("500m"), cpu(500), scale.ResizeInProgress, time.Time{}},
		"in progress":                  {resized("500m", said(corev1.PodResizeInProgress, "", 2)), cpu(500), scale.ResizeInProgress, later},
		"deferred":                     {resized("500m", said(corev1.PodResizePending, corev1.PodReasonDeferred, 2)), cpu(500), scale.ResizeDeferred, later},
		"infeasible":                   {resized("500m", said(corev1.PodResizePending, corev1.PodReasonInfeasible, 0)), cpu(500), scale.ResizeInfeasible, later},
		"an earlier one was deferred":  {resized("500m", said(corev1.PodResizePending, corev1.PodReasonDeferred, 1)), cpu(500), scale.ResizeInProgress, time.Time{}},
		"done, but the word is left":   {resized("900m", said(corev1.PodResizeInProgress, "", 2)), scale.Resources{}, scale.NoResize, time.Time{}},
		"a kubelet that tells no size": {web(), scale.Resources{}, scale.NoResize, time.Time{}},
		"nor what came of it":          {silent(said(corev1.PodResizePending, corev1.PodReasonDeferred, 2)), scale.Resources{}, scale.ResizeDeferred, later},
	} {
		t.Run(name, func(t *testing.T) {
			got := podview.Of(tc.pod)
			if diff := cmp.Diff(tc.has, got.Containers[0].InForce, equalResources); diff != "" {
				t.Errorf("in force (-want +got):\n%s", diff)
			}
			if got.Resizing() != tc.state || !got.ResizeSince.Equal(tc.since) {
				t.Errorf("got %q since %s, want %q since %s", got.Resizing(), got.ResizeSince, tc.state, tc.since)
			}
		})
	}
}
