package resize

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/scale"
)

var now = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// old and big are the size that pods have and the one that is wanted.
const old, big = "500m", "750m"

var wantBig = []scale.Container{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, 750)}}

// runningPod is a ready pod of an hour, with one container, changed by options.
func runningPod(name, cpu string, options ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: name, UID: types.UID("uid-" + name), Generation: 2,
			CreationTimestamp: metav1.NewTime(now.Add(-time.Hour)),
		},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name:      "app",
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}},
		}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}},
	}
	for _, option := range options {
		option(p)
	}
	return p
}

func unready(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionFalse }

func isYoung(p *corev1.Pod) { p.CreationTimestamp = metav1.NewTime(now.Add(-time.Minute)) }

func deleting(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: now} }

func finished(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }

func with(kind corev1.PodConditionType, reason string, since time.Duration) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
			Type: kind, Status: corev1.ConditionTrue, Reason: reason, ObservedGeneration: p.Generation,
			LastTransitionTime: metav1.NewTime(now.Add(-since)),
		})
	}
}

func infeasible(p *corev1.Pod) {
	with(corev1.PodResizePending, corev1.PodReasonInfeasible, time.Second)(p)
}

func inProgress(p *corev1.Pod) { with(corev1.PodResizeInProgress, "", time.Second)(p) }

const (
	inPlace  = v1alpha1.VerticalUpdateInPlace
	orAgain  = v1alpha1.VerticalUpdateInPlaceOrRecreate
	recreate = v1alpha1.VerticalUpdateRecreate
)

// many are n ready pods of the old size.
func many(n int) []*corev1.Pod {
	var pods []*corev1.Pod
	for i := range n {
		pods = append(pods, runningPod(fmt.Sprintf("old-%02d", i), old))
	}
	return pods
}
