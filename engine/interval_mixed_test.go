package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// TestPodsInTheMiddleOfAResizeWantTheSameSize: two pods use 400m in all, and
// should request as much. Pods are resized one after the other, so the decision
// must be the same before, while and after they are, whichever of the two sizes
// counts as the workload's.
func TestPodsInTheMiddleOfAResizeWantTheSameSize(t *testing.T) {
	full := int32(100)
	p, err := policy.Compile(v1alpha1.WorkloadAutoscalerSpec{
		Metrics: []v1alpha1.MetricSpec{{Type: "Resource", Resource: &v1alpha1.ResourceMetric{Name: "cpu",
			Target: &v1alpha1.MetricTarget{AverageUtilization: &full}}}},
		Intervals: &v1alpha1.Intervals{Ranges: []v1alpha1.IntervalRange{
			{MaxReplicas: new(int32(2)), MaxResources: quantities("200m", "1Gi")}, {MaxReplicas: new(int32(3)), MaxResources: quantities("400m", "1Gi")},
		}},
	}, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ first, second, target string }{
		"before":                        {"100m", "100m", "100m"},
		"the first one is resized":      {"200m", "100m", "100m"},
		"the first one, and that leads": {"200m", "100m", "200m"},
		"after":                         {"200m", "200m", "200m"},
	} {
		t.Run(name, func(t *testing.T) {
			obs := twoPods(scale.Resources{})
			obs.Recommended = nil
			obs.Target.Containers = []scale.Container{{Name: "app", Requests: amountsOf(c.target, "")}}
			obs.Pods = nil
			for _, request := range []string{c.first, c.second} {
				obs.Pods = append(obs.Pods, scale.Pod{Ready: scale.Ready, UsageAt: noon, Containers: []scale.PodContainer{
					{Name: "app", Requests: amountsOf(request, ""), Usage: amountsOf("200m", "")},
				}})
			}
			got, _ := engine.Decide(p, obs, engine.Memory{})
			want := scale.Size{Replicas: 2, Containers: []scale.Container{{Name: "app", Requests: amountsOf("200m", "")}}}
			if diff := cmp.Diff(want, got.Want); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
}
