package upstream

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	resourcehelpers "k8s.io/component-helpers/resource"
	"k8s.io/kubernetes/pkg/features"

	"github.com/tidemark/tidemark/scale"
)

// Observe is what an observer of the cluster hands to the engine.
func Observe(w *World, specs []autoscalingv2.MetricSpec) scale.Observation {
	seen := scale.Observation{
		At:      w.At,
		Target:  scale.Target{SpecReplicas: w.SpecReplicas, StatusReplicas: w.StatusReplicas},
		Pods:    make([]scale.Pod, len(w.Pods)),
		Samples: make([]scale.Sample, len(specs)),
	}
	for _, c := range w.Template {
		seen.Target.Containers = append(seen.Target.Containers, scale.Container{Name: c.Name, Requests: amounts(c.Resources.Requests)})
	}
	places := make(map[string]int, len(w.Pods))
	for i, pod := range w.Pods {
		places[pod.Name], seen.Pods[i] = i, ourPod(pod)
	}
	for i := range w.Usage {
		if place, ok := places[w.Usage[i].Pod]; ok {
			addUsage(&seen.Pods[place], &w.Usage[i])
		}
	}
	for i := range specs {
		seen.Samples[i] = ourSample(&w.Answers[i], places)
	}
	return seen
}

func ourSample(a *Answer, places map[string]int) scale.Sample {
	out := scale.Sample{At: a.At}
	if a.Err != nil {
		out.Problem = a.Err.Error()
		return out
	}
	for _, v := range a.Series {
		out.Series = append(out.Series, scale.Amount(v))
	}
	if len(a.PerPod) > 0 {
		out.PerPod = make([]scale.PodValue, len(places))
	}
	for _, v := range a.PerPod {
		if place, ok := places[v.Pod]; ok {
			out.PerPod[place] = scale.PodValue{Value: scale.Amount(v.Milli), Known: true}
		} else {
			out.Strangers = append(out.Strangers, scale.Amount(v.Milli))
		}
	}
	return out
}

var phases = map[v1.PodPhase]scale.Phase{
	v1.PodRunning: scale.Running, v1.PodPending: scale.Pending, v1.PodSucceeded: scale.Succeeded,
	v1.PodFailed: scale.Failed, v1.PodUnknown: scale.UnknownPhase,
}

var readiness = map[v1.ConditionStatus]scale.Readiness{
	v1.ConditionTrue: scale.Ready, v1.ConditionFalse: scale.NotReady, v1.ConditionUnknown: scale.ReadinessUnknown,
}

func ourPod(pod *v1.Pod) scale.Pod {
	out := scale.Pod{Name: pod.Name, Phase: phases[pod.Status.Phase], Deleting: pod.DeletionTimestamp != nil, Ready: scale.ReadinessAbsent}
	if pod.Status.StartTime != nil {
		out.StartedAt = pod.Status.StartTime.Time
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == v1.PodReady {
			out.Ready, out.ReadyChangedAt = readiness[condition.Status], condition.LastTransitionTime.Time
		}
	}
	if utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResources) && resourcehelpers.IsPodLevelRequestsSet(pod) {
		out.Requests = amounts(resourcehelpers.PodRequests(pod, resourcehelpers.PodResourcesOptions{}))
	}
	for _, c := range pod.Spec.Containers {
		out.Containers = append(out.Containers, scale.PodContainer{Name: c.Name, Requests: amounts(c.Resources.Requests)})
	}
	for _, c := range pod.Spec.InitContainers {
		if c.RestartPolicy != nil && *c.RestartPolicy == v1.ContainerRestartPolicyAlways {
			out.Containers = append(out.Containers, scale.PodContainer{Name: c.Name, Requests: amounts(c.Resources.Requests)})
		}
	}
	return out
}

func addUsage(pod *scale.Pod, u *PodUsage) {
	pod.UsageAt, pod.UsageWindow = u.At.Round(0), u.Window
	for _, measured := range u.Containers {
		for i := range pod.Containers {
			if pod.Containers[i].Name != measured.Name {
				continue
			}
			for name, milli := range measured.Milli {
				if r, ok := scale.ParseResource(string(name)); ok {
					pod.Containers[i].Usage = pod.Containers[i].Usage.With(r, scale.Amount(milli))
				}
			}
		}
	}
}

func amounts(list v1.ResourceList) scale.Resources {
	var out scale.Resources
	for name, q := range list {
		if r, ok := scale.ParseResource(string(name)); ok {
			out = out.With(r, scale.Amount(q.MilliValue()))
		}
	}
	return out
}
