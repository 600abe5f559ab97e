package upstream

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/features"

	"github.com/tidemark/tidemark/internal/observe/podview"
	"github.com/tidemark/tidemark/scale"
)

// Observe is what an observer of the cluster hands to the engine.
func Observe(w *World, specs []autoscalingv2.MetricSpec) scale.Observation {
	obs := scale.Observation{
		At:      w.At,
		Target:  scale.Target{SpecReplicas: w.SpecReplicas, StatusReplicas: w.StatusReplicas},
		Pods:    make([]scale.Pod, len(w.Pods)),
		Samples: make([]scale.Sample, len(specs)),
	}
	obs.Target.Containers = podview.Containers(&corev1.PodSpec{Containers: w.Template})
	places := make(map[string]int, len(w.Pods))
	for i, pod := range w.Pods {
		places[pod.Name], obs.Pods[i] = i, ourPod(pod)
	}
	for i := range w.Usage {
		if place, ok := places[w.Usage[i].Pod]; ok {
			addUsage(&obs.Pods[place], &w.Usage[i])
		}
	}
	for i := range specs {
		obs.Samples[i] = ourSample(&w.Answers[i], places)
	}
	return obs
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

// ourPod is the pod as the live observer sees it. A cluster whose API server
// lacks requests at the level of pods would not have stored them.
func ourPod(pod *corev1.Pod) scale.Pod {
	out := podview.Of(pod)
	if !utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResources) {
		out.Requests = scale.Resources{}
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
