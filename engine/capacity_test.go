package engine_test

import (
	"testing"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/rightsize"
	"github.com/tidemark/tidemark/scale"
)

// TestRoomForPodsUnderWayIsNotGivenTwice: two pods of 100m share 50m that a quota has left,
// so each is to have 125m. With one of them there, and 25m left for the other, that is
// still so.
func TestRoomForPodsUnderWayIsNotGivenTwice(t *testing.T) {
	cpu := func(milli scale.Amount) scale.Resources { return scale.Resources{}.With(scale.CPU, milli) }
	p := policyOf(horizontal.Metric{})
	p.Horizontal.Metrics, p.Rightsize = nil, &rightsize.Rules{}
	p.Rightsize.Default.Resources[scale.CPU].Scaling = rightsize.Vertical
	memory := engine.Memory{}
	look := func(left scale.Amount, pods ...scale.Amount) scale.Amount {
		t.Helper()
		obs := scale.Observation{
			At: noon, Target: scale.Target{SpecReplicas: 2, StatusReplicas: 2, Containers: []scale.Container{{Name: "app", Requests: cpu(pods[0])}}},
			Recommended: []scale.Recommendation{{Container: "app", PerPod: cpu(200)}},
			Capacity:    &scale.Capacity{Quota: scale.QuotaRoom{Requests: cpu(left)}},
		}
		for _, has := range pods {
			obs.Pods = append(obs.Pods, scale.Pod{Containers: []scale.PodContainer{{Name: "app", Requests: cpu(has)}}})
		}
		d, next := engine.Decide(p, obs, memory)
		memory = next
		want, _ := d.Want.Containers[0].Requests.Get(scale.CPU)
		return want
	}
	for _, step := range []struct {
		left scale.Amount
		pods []scale.Amount
	}{{50, []scale.Amount{100, 100}}, {25, []scale.Amount{100, 125}}, {0, []scale.Amount{125, 125}}} {
		if got := look(step.left, step.pods...); got != 125 {
			t.Errorf("with %d left and pods of %v, each is to have %d", step.left, step.pods, got)
		}
	}
}
