package resize

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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

// podOf is a ready pod of an hour, with one container, changed by options.
func podOf(name, cpu string, options ...func(*corev1.Pod)) *corev1.Pod {
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

func bestEffort(p *corev1.Pod) { p.Spec.Containers[0].Resources = corev1.ResourceRequirements{} }

func restartsOn(name corev1.ResourceName) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Containers[0].ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: name, RestartPolicy: corev1.RestartContainer}}
	}
}

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

func deferredFor(since time.Duration) func(*corev1.Pod) {
	return with(corev1.PodResizePending, corev1.PodReasonDeferred, since)
}

func inProgress(p *corev1.Pod) { with(corev1.PodResizeInProgress, "", time.Second)(p) }

// many are n ready pods of the old size, then those given.
func many(n int, more ...*corev1.Pod) []*corev1.Pod {
	var pods []*corev1.Pod
	for i := range n {
		pods = append(pods, podOf(fmt.Sprintf("old-%02d", i), old))
	}
	return append(pods, more...)
}

// in is a policy for so many replicas, with a working webhook.
func in(update v1alpha1.VerticalUpdate, replicas int32) Policy {
	return Policy{Update: update, NewPodsAreSized: true, Replicas: replicas, Now: now}
}

const (
	inPlace  = v1alpha1.VerticalUpdateInPlace
	orAgain  = v1alpha1.VerticalUpdateInPlaceOrRecreate
	recreate = v1alpha1.VerticalUpdateRecreate
)

var planCases = map[string]struct {
	pods   []*corev1.Pod
	policy Policy
	// want has one line for each action: the verb, the pod, and why.
	want []string
}{
	"pods as wanted are left alone":        {[]*corev1.Pod{podOf("a", big), podOf("b", big)}, in(orAgain, 2), nil},
	"one of few pods is resized":           {many(3), in(orAgain, 3), []string{"resize old-00"}},
	"a tenth of many is resized":           {many(25), in(orAgain, 25), []string{"resize old-00", "resize old-01"}},
	"a resize in progress counts":          {many(19, podOf("x", big, inProgress)), in(orAgain, 20), []string{"resize old-00"}},
	"resizes in progress fill the round":   {many(2, podOf("x", big, inProgress)), in(orAgain, 3), nil},
	"a pod that is not ready comes first":  {many(2, podOf("z", old, unready)), in(orAgain, 3), []string{"resize z"}},
	"pods that end are none":               {[]*corev1.Pod{podOf("a", old, deleting), podOf("b", old, finished)}, in(orAgain, 1), nil},
	"an empty update is InPlaceOrRecreate": {many(1), in("", 1), []string{"resize old-00"}},
	"Initial touches no running pod":       {many(3, podOf("x", big, infeasible)), in(v1alpha1.VerticalUpdateInitial, 4), nil},

	"a deferred resize is waited for": {
		[]*corev1.Pod{podOf("a", big, deferredFor(time.Minute))}, in(orAgain, 1), []string{"wait a: its node has no room for its new size yet"},
	},
	"but not for ever": {
		[]*corev1.Pod{podOf("a", big, deferredFor(patience))}, in(orAgain, 1), []string{"evict a: its node had no room for 5m0s"},
	},
	"a deferred resize does not hold up the rest": {
		many(2, podOf("a", big, deferredFor(time.Minute))), in(orAgain, 3),
		[]string{"wait a: its node has no room for its new size yet", "resize old-00"},
	},
	"an infeasible resize ends in an eviction": {
		[]*corev1.Pod{podOf("a", big, infeasible), podOf("b", big)}, in(orAgain, 2), []string{"evict a: its node can never give it this size"},
	},
	"InPlace never evicts": {
		[]*corev1.Pod{podOf("a", big, infeasible)}, in(inPlace, 1),
		[]string{"wait a: its node can never give it this size; vertical.update InPlace does not replace pods"},
	},
	"without the webhook an eviction would be for nothing": {
		[]*corev1.Pod{podOf("a", big, infeasible)}, Policy{Update: orAgain, Replicas: 1, Now: now},
		[]string{"wait a: its node can never give it this size; the pod webhook is off, so a new pod would come back at its old size"},
	},
	"a verdict on an earlier size does not count": {
		[]*corev1.Pod{podOf("a", big, infeasible, func(p *corev1.Pod) { p.Generation = 3 })}, in(orAgain, 1), nil,
	},
	"a pod that could not have its last size may get the next": {
		[]*corev1.Pod{podOf("a", old, infeasible)}, in(orAgain, 1), []string{"resize a"},
	},
	"a kubelet that keeps failing": {
		[]*corev1.Pod{podOf("a", big, with(corev1.PodResizeInProgress, corev1.PodReasonError, patience))}, in(orAgain, 1),
		[]string{"evict a: its node failed to resize it for 5m0s"},
	},

	"Recreate evicts one pod in a round": {
		many(3), in(recreate, 3), []string{
			"evict old-00: vertical.update is Recreate",
			"wait old-01: vertical.update is Recreate; another pod goes first",
			"wait old-02: vertical.update is Recreate; another pod goes first",
		},
	},
	"no ready pod goes while another is not ready": {
		many(1, podOf("x", big, unready)), in(recreate, 2),
		[]string{"wait old-00: vertical.update is Recreate; not all pods of the workload are ready"},
	},
	"nor while one is missing": {
		many(1), in(recreate, 2), []string{"wait old-00: vertical.update is Recreate; not all pods of the workload are ready"},
	},
	"nor while one is on its way out": {
		many(1, podOf("x", old, deleting)), in(recreate, 1),
		[]string{"wait old-00: vertical.update is Recreate; not all pods of the workload are ready"},
	},
	"a pod that is not ready goes though others are not either": {
		[]*corev1.Pod{podOf("a", old, unready), podOf("b", old, unready)}, in(recreate, 2),
		[]string{"evict a: vertical.update is Recreate", "wait b: vertical.update is Recreate; another pod goes first"},
	},
	"but not while its predecessor is still starting": {
		[]*corev1.Pod{podOf("a", big, unready, isYoung), podOf("b", old, unready)}, in(recreate, 2),
		[]string{"wait b: vertical.update is Recreate; a new pod of the workload is not ready yet"},
	},
	"a young pod is not replaced": {
		[]*corev1.Pod{podOf("a", old, isYoung)}, in(recreate, 1),
		[]string{"wait a: vertical.update is Recreate; it is not replaced in its first 10m0s"},
	},

	"a resize that restarts a container says so": {
		[]*corev1.Pod{podOf("a", old, restartsOn(corev1.ResourceCPU)), podOf("b", big)}, in(inPlace, 2),
		[]string{"resize a: restarts a container, as its resizePolicy says"},
	},
	"another resource's resizePolicy is not touched": {
		[]*corev1.Pod{podOf("a", old, restartsOn(corev1.ResourceMemory))}, in(inPlace, 1), []string{"resize a"},
	},
	"a restart waits until all others are ready": {
		[]*corev1.Pod{podOf("a", old, restartsOn(corev1.ResourceCPU)), podOf("b", big, unready)}, in(inPlace, 2),
		[]string{"wait a: not all pods of the workload are ready"},
	},
	"a pod that asks for nothing cannot be resized": {
		[]*corev1.Pod{podOf("a", old, bestEffort)}, in(orAgain, 1),
		[]string{"evict a: a running pod cannot turn from BestEffort into Burstable"},
	},
}

func TestPlan(t *testing.T) {
	for name, tc := range planCases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, a := range plan(tc.pods, wantBig, tc.policy) {
				line := [...]string{resizes: "resize ", evicts: "evict ", waits: "wait "}[a.verb] + a.pod.Name
				if a.why != "" {
					line += ": " + a.why
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("the round (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOrderOfThePodsDoesNotMatter: a cache lists pods in any order.
func TestOrderOfThePodsDoesNotMatter(t *testing.T) {
	pods := many(25, podOf("x", old, unready), podOf("y", big, infeasible))
	names := func() string {
		var all []string
		for _, a := range plan(pods, wantBig, in(orAgain, 27)) {
			all = append(all, a.pod.Name)
		}
		return strings.Join(all, " ")
	}
	before := names()
	for i, j := 0, len(pods)-1; i < j; i, j = i+1, j-1 {
		pods[i], pods[j] = pods[j], pods[i]
	}
	if after := names(); before != after {
		t.Errorf("pods %s, and %s the other way round", before, after)
	}
}
