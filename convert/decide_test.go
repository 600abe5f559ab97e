package convert

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// TestDecisionsStay compares what a converted HPA decides with what an HPA
// decides, worked out by hand, and with what the same object decides without
// compatibility. The target is 60 %, every pod requests one core.
func TestDecisionsStay(t *testing.T) {
	cases := map[string]struct {
		replicas       int
		cpu            scale.Amount
		want, improved int32
	}{
		"half more load is half more pods":                        {10, 900, 15, 15},
		"an HPA cuts 66.5 % to 66 %, which it tolerates":          {10, 665, 10, 12},
		"from two pods at most four":                              {2, 3000, 4, 4},
		"within the tolerance nothing happens":                    {10, 630, 10, 10},
		"the maximum holds":                                       {30, 1200, 40, 40},
		"what an HPA sees for the first time it does not shrink":  {10, 100, 10, 2},
		"below the minimum it grows at once, whatever the metric": {1, 600, 2, 2},
	}
	spec, _ := converted(t, `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {`+target+`, minReplicas: 2, maxReplicas: 40,
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]}}`)
	plain := spec
	plain.Compatibility = ""
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := decided(t, spec, c.replicas, c.cpu); got != c.want {
				t.Errorf("want %d as an HPA, got %d", c.want, got)
			}
			if got := decided(t, plain, c.replicas, c.cpu); got != c.improved {
				t.Errorf("want %d without compatibility, got %d", c.improved, got)
			}
		})
	}
}

func decided(t *testing.T, spec v1alpha1.WorkloadAutoscalerSpec, replicas int, cpu scale.Amount) int32 {
	t.Helper()
	compiled, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	pods := make([]scale.Pod, replicas)
	for i := range pods {
		pods[i] = scale.Pod{
			Name: fmt.Sprintf("web-%d", i), Ready: scale.Ready, StartedAt: noon.Add(-time.Hour), ReadyChangedAt: noon.Add(-time.Hour),
			UsageAt: noon, UsageWindow: 30 * time.Second,
			Containers: []scale.PodContainer{{
				Name: "app", Requests: scale.Resources{}.With(scale.CPU, 1000), Usage: scale.Resources{}.With(scale.CPU, cpu),
			}},
		}
	}
	seen := scale.Observation{At: noon, Target: scale.Target{SpecReplicas: int32(replicas), StatusReplicas: int32(replicas)}, Pods: pods}
	decision, _ := engine.Decide(compiled, seen, engine.Memory{})
	return decision.Want.Replicas
}
