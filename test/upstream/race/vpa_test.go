package race

import (
	"time"

	"k8s.io/autoscaler/vertical-pod-autoscaler/pkg/recommender/logic"
	"k8s.io/autoscaler/vertical-pod-autoscaler/pkg/recommender/model"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// vpa keeps a count of pods and sizes them with the VPA recommender's library,
// with the recommender's own defaults. As the VPA's updater does, it changes
// pods only when what they request is outside the recommended bounds.
type vpa struct {
	recommender logic.PodResourceRecommender
	usage       *model.AggregateContainerState
	sampled     time.Time
}

// startVPA begins with as many pods as the mean of the demand needs.
func startVPA(s *sim.Settings) (sim.Controller, error) {
	s.Replicas = MeanPods
	return &vpa{
		recommender: logic.CreatePodResourceRecommender(logic.RecommendationConfig{
			SafetyMarginFraction: 0.15, PodMinCPUMillicores: 25, PodMinMemoryMb: 250,
			TargetCPUPercentile: 0.9, LowerBoundCPUPercentile: 0.5, UpperBoundCPUPercentile: 0.95, ConfidenceIntervalCPU: 24 * time.Hour,
			TargetMemoryPercentile: 0.9, LowerBoundMemoryPercentile: 0.5, UpperBoundMemoryPercentile: 0.95, ConfidenceIntervalMemory: 24 * time.Hour,
		}),
		usage: model.NewAggregateContainerState(),
	}, nil
}

// Decide takes a sample of each pod once a minute, as the recommender does, and
// resizes the pods where the recommender says so.
func (v *vpa) Decide(p *sim.Plant) scale.Decision {
	from := p.Size()
	keep := scale.Decision{From: from, Want: from}
	if p.Now().Sub(v.sampled) < time.Minute {
		return keep
	}
	v.sampled = p.Now()
	obs := p.Observe(nil)
	for i := range obs.Pods {
		used, known := obs.Pods[i].Containers[0].Usage.Get(scale.CPU)
		if known {
			v.usage.AddSample(&model.ContainerUsageSample{
				MeasureStart: obs.Pods[i].UsageAt, Usage: model.ResourceAmount(used), Resource: model.ResourceCPU,
			})
		}
	}
	name, request := from.Containers[0].Name, mustGet(from.Containers[0].Requests)
	r := v.recommender.GetRecommendedPodResources(model.ContainerNameToAggregateStateMap{name: v.usage})[name]
	if request >= scale.Amount(r.LowerBound[model.ResourceCPU]) && request <= scale.Amount(r.UpperBound[model.ResourceCPU]) {
		return keep
	}
	target := scale.Amount(r.Target[model.ResourceCPU])
	keep.Want.Containers = []scale.Container{{
		Name: name, Requests: from.Containers[0].Requests.With(scale.CPU, target), Limits: from.Containers[0].Limits,
	}}
	// A limit keeps its relation to the request, as VPA has it by default.
	if limit, ok := from.Containers[0].Limits.Get(scale.CPU); ok {
		keep.Want.Containers[0].Limits = from.Containers[0].Limits.With(scale.CPU, limit.Share(int64(target), int64(request)))
	}
	return keep
}

func mustGet(r scale.Resources) scale.Amount {
	amount, _ := r.Get(scale.CPU)
	return amount
}
