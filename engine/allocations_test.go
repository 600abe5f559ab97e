package engine_test

import (
	"testing"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/scale"
)

// TestADecisionAllocatesLittle: what a policy does not use costs nothing. A decision
// takes its steps, its facts and what it remembers; a fourth allocation means that
// something it only looks at has moved to the heap.
func TestADecisionAllocatesLittle(t *testing.T) {
	band := scale.Band{Low: 60_000, High: 60_000}
	for name, m := range map[string]horizontal.Metric{
		"Resource": {Name: "cpu", Kind: horizontal.Resource, Type: scale.Utilization, Band: band},
		"External": {Name: "queue", Kind: horizontal.External, Type: scale.AverageValue, Band: band},
	} {
		t.Run(name, func(t *testing.T) {
			p, obs := policyOf(m), scale.Observation{
				At: noon, Target: scale.Target{SpecReplicas: 10, StatusReplicas: 10}, Pods: podsUsing(10, 700),
				Samples: []scale.Sample{{Series: []scale.Amount{700_000}}},
			}
			d, memory := engine.Decide(p, obs, engine.Memory{})
			if d.Want.Replicas <= 10 {
				t.Fatalf("wants %d: only what grows looks at everything", d.Want.Replicas)
			}
			memory.Replicas = 10
			if n := testing.AllocsPerRun(100, func() { _, _ = engine.Decide(p, obs, memory) }); n > 3 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}
