package replay

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// TestForetold: jumps that nothing in the past announces cost who is told of them
// less than half of the lost work, because its pods are resized before they come.
func TestForetold(t *testing.T) {
	jumps := trace.Trace{Step: 15 * time.Second}
	for i := range 6 * 240 {
		value := scale.Amount(4000)
		if i%97 < 40 {
			value = 9000
		}
		jumps.Points = append(jumps.Points, trace.Point{At: monday.Add(time.Duration(i) * 15 * time.Second), Value: value})
	}
	least, most := int32(1), int32(sim.MaxPods)
	untold, err := FromSpec("untold", v1alpha1.WorkloadAutoscalerSpec{
		Replicas: v1alpha1.ReplicaSpec{Min: &least, Max: &most}, Learn: &v1alpha1.Learn{Headroom: &v1alpha1.Headroom{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	results := run(t, newReplay(t, jumps, Plant{Settings: sim.Honest()}), false, append(named(t, "foretold"), untold)...)
	told, not := results[0].Score, results[1].Score
	if not.UnservedPercent <= 0 || told.UnservedPercent > not.UnservedPercent/2 {
		t.Errorf("unserved: told %v %%, not told %v %%", told.UnservedPercent, not.UnservedPercent)
	}
}
