package webhook

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/apply/podsize"
	"github.com/tidemark/tidemark/internal/observe/podview"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// boosted is what a pod starts with.
type boosted struct {
	spec *corev1.PodSpec
	// note is what the pod says of it, so that it can be taken back whatever becomes
	// of us; empty where it starts as it is.
	note string
	// refused is why it starts without the boost that its object states.
	refused *Refusal
}

// boost finds what a pod starts with that gets a decided size. A boost that could not
// be taken back, or that a pod would be refused for, is not given.
func (s *Sizer) boost(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler, pod *corev1.Pod, fitted []podsize.Fitted) boosted {
	rules := policy.Boosts(&obj.Spec, s.Permits.Admin())
	if rules == nil {
		return boosted{}
	}
	if !s.Resizes() {
		return boosted{refused: &Refusal{scale.StartupBoost, "the API server does not resize pods in place, so it could not be taken back"}}
	}
	allowed, err := s.Allowances.Of(ctx, pod.Namespace)
	if err != nil {
		return boosted{refused: &Refusal{scale.Waiting, err.Error()}}
	}
	settled := *pod
	settled.Spec = *podsize.Sized(&pod.Spec, fitted)
	room := &scale.Capacity{Quota: allowed.Room(&settled), LimitRange: allowed.Range(), LargestNode: s.Largest(ctx)}
	sizes := podview.Containers(&settled.Spec)
	// Others are started with it, and must not be refused because of its boost.
	last := obj.Status.LastDecision
	starts := scale.Size{Replicas: max(1, last.Want.Replicas-last.From.Replicas), Containers: sizes}
	to, cut := engine.Boosted(rules, starts, room)
	raised := podsize.Fit(&settled, raisedOnly(sizes, to))
	switch {
	case len(raised) == 0 && cut != "":
		return boosted{refused: &Refusal{cut, "there is no room for it"}}
	case len(raised) == 0:
		return boosted{}
	case restarts(&settled.Spec, raised):
		return boosted{refused: &Refusal{scale.StartupBoost, "the container's resizePolicy restarts it when its cpu changes, so taking it back would start it again"}}
	}
	final := settled
	final.Spec = *podsize.Sized(&settled.Spec, raised)
	if why := refuses(&allowed, &settled, &final); why != nil {
		return boosted{refused: why}
	}
	note := podview.Boost{By: obj.Name, ForSeconds: int32(rules.For() / time.Second), CutBy: cut}
	note.Containers = podview.BoostBetween(&settled.Spec, &final.Spec)
	text, err := json.Marshal(note)
	if err != nil || len(note.Containers) == 0 {
		return boosted{}
	}
	return boosted{spec: &final.Spec, note: string(text)}
}

// raisedOnly are the containers that get more, with their cpu alone.
func raisedOnly(settled, to []scale.Container) []scale.Container {
	var out []scale.Container
	for i := range to {
		if to[i] == settled[i] {
			continue
		}
		one := scale.Container{Name: to[i].Name}
		if request, known := to[i].Requests.Get(scale.CPU); known {
			one.Requests = one.Requests.With(scale.CPU, request)
		}
		if limit, known := to[i].Limits.Get(scale.CPU); known {
			one.Limits = one.Limits.With(scale.CPU, limit)
		}
		out = append(out, one)
	}
	return out
}

// restarts tells whether a change of cpu restarts one of these containers.
func restarts(spec *corev1.PodSpec, changed []podsize.Fitted) bool {
	for _, f := range changed {
		list := spec.Containers
		if f.Init {
			list = spec.InitContainers
		}
		if slices.ContainsFunc(list[f.Index].ResizePolicy, func(p corev1.ContainerResizePolicy) bool {
			return p.ResourceName == corev1.ResourceCPU && p.RestartPolicy == corev1.RestartContainer
		}) {
			return true
		}
	}
	return false
}
