package engine_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
)

// policyOf returns a policy with one metric and the usual limits.
func policyOf(m horizontal.Metric) engine.Policy {
	return engine.Policy{
		Horizontal: horizontal.Rules{
			Metrics: []horizontal.Metric{m}, ToleranceUp: scale.Parts / 10, ToleranceDown: scale.Parts / 10,
			CPUInitialization: 5 * time.Minute, InitialReadiness: 30 * time.Second, StaleAfter: 5 * time.Minute, Step: 1,
		},
		Limit: limit.Rules{Min: 1, Max: 2000, Step: 1, Plain: true, Doubling: true, Down: limit.Direction{Window: 5 * time.Minute}},
		Sync:  15 * time.Second,
	}
}

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

func podsUsing(n int, cpu scale.Amount) []scale.Pod {
	pods := make([]scale.Pod, n)
	for i := range pods {
		pods[i] = scale.Pod{
			Name: fmt.Sprintf("app-%d", i), Ready: scale.Ready, StartedAt: noon.Add(-time.Hour), ReadyChangedAt: noon.Add(-time.Hour),
			UsageAt: noon, UsageWindow: 30 * time.Second,
			Containers: []scale.PodContainer{{
				Name: "app", Requests: scale.Resources{}.With(scale.CPU, 1000), Usage: scale.Resources{}.With(scale.CPU, cpu),
			}},
		}
	}
	return pods
}

func BenchmarkDecide(b *testing.B) {
	band := scale.Band{Low: 60_000, High: 60_000}
	for _, n := range []int{1, 10, 100, 1000} {
		obs := scale.Observation{
			At: noon, Target: scale.Target{SpecReplicas: int32(n), StatusReplicas: int32(n)}, Pods: podsUsing(n, 700),
			Samples: []scale.Sample{{Series: []scale.Amount{70_000}, PerPod: make([]scale.PodValue, n)}},
		}
		for i := range obs.Samples[0].PerPod {
			obs.Samples[0].PerPod[i] = scale.PodValue{Value: 70_000, Known: true}
		}
		for name, m := range map[string]horizontal.Metric{
			"Resource": {Name: "cpu", Kind: horizontal.Resource, Type: scale.Utilization, Band: band},
			"External": {Name: "queue", Kind: horizontal.External, Type: scale.Value, Band: band},
			"Pods":     {Name: "rps", Kind: horizontal.Pods, Type: scale.AverageValue, Band: band},
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				p := policyOf(m)
				_, memory := engine.Decide(p, obs, engine.Memory{})
				memory.Replicas = obs.Target.SpecReplicas
				b.ReportAllocs()
				for b.Loop() {
					_, _ = engine.Decide(p, obs, memory)
				}
			})
		}
	}
}
