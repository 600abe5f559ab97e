package engine_test

import (
	"fmt"
	"time"

	"k8s.io/utils/ptr"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/manifest"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// Two decisions about one workload. What the second one needs to know of the
// first is in the memory between them, and nowhere else.
func ExampleDecide() {
	object, err := manifest.Autoscaler{
		Target:      manifest.Reference("apps/v1", "Deployment", "web"),
		MinReplicas: ptr.To[int32](2), MaxReplicas: 20,
		Metrics: []manifest.Metric{manifest.External("queue", manifest.AverageValue("10"))},
	}.WorkloadAutoscaler()
	if err != nil {
		panic(err)
	}
	compiled, err := policy.Compile(object.Spec, v1alpha1.AdminSettings{})
	if err != nil {
		panic(err)
	}

	var memory engine.Memory
	at, pods := time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC), int32(2)
	for _, messages := range []scale.Amount{40, 5} {
		var decision scale.Decision
		decision, memory = engine.Decide(compiled, scale.Observation{
			At:      at,
			Target:  scale.Target{SpecReplicas: pods, StatusReplicas: pods},
			Samples: []scale.Sample{{Series: []scale.Amount{messages * scale.Thousand}}},
		}, memory)
		fmt.Println(explain.Headline(decision))
		at, pods = at.Add(decision.RecheckAfter), decision.Want.Replicas
	}
	// Output:
	// 2 -> 4: AboveTarget
	// stays at 4: BelowTarget, limited by Stabilized
}
