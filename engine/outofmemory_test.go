package engine_test

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/scale"
)

// TestOutOfMemoryKeepsScaleDownStable: hvpa-controller's override for workloads
// that ran out of memory skips the stabilization of scale-downs as well. Here
// memory grows at once, and cpu, which happens to be recommended less, still
// waits for its window.
func TestOutOfMemoryKeepsScaleDownStable(t *testing.T) {
	p := vertical(t, func(r *v1alpha1.ScalingRules) { r.StabilizationWindowSeconds = new(int32(300)) })
	_, memory := engine.Decide(p, twoPods(amountsOf("1", "4Gi")), engine.Memory{})
	obs := twoPods(amountsOf("500m", "6Gi"))
	obs.At = noon.Add(15 * time.Second)
	obs.Pods[0].OutOfMemoryAt = noon.Add(10 * time.Second)
	d, _ := engine.Decide(p, obs, memory)
	if got := d.Want.Containers[0].Requests; got != amountsOf("1", "6Gi") {
		t.Errorf("cpu and memory %v, want 1 core as before and 6Gi: %+v", got, d.Steps)
	}
	if d.Reason != scale.WithinInterval {
		t.Errorf("reason %s", d.Reason)
	}
}
