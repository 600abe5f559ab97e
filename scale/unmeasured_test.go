package scale_test

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// TestUnmeasured: one pod was measured at noon, over ten seconds. Of the others it
// matters when they became ready.
func TestUnmeasured(t *testing.T) {
	noon := time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	pod := func(ready time.Duration) scale.Pod {
		return scale.Pod{Ready: scale.Ready, ReadyChangedAt: noon.Add(ready)}
	}
	measured := pod(-time.Hour)
	measured.Name, measured.UsageAt, measured.UsageWindow = "measured", noon, 10*time.Second
	lost := pod(-time.Hour)
	lost.Ready = scale.NotReady
	for name, tc := range map[string]struct {
		pod    scale.Pod
		pods   int32
		unsure bool
	}{
		"long ago":                   {pod(-time.Hour), 1, false},
		"before most of the window":  {pod(-5 * time.Second), 1, false},
		"within the end of it":       {pod(-4 * time.Second), 0, true},
		"after it":                   {pod(time.Second), 0, false},
		"nobody knows when":          {scale.Pod{Ready: scale.Ready}, 1, false},
		"it does not serve any more": {lost, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := scale.Observation{At: noon.Add(15 * time.Second), Pods: []scale.Pod{measured, tc.pod}}
			pods, unsure := o.Unmeasured(func(p *scale.Pod) bool { return p.Name == "measured" })
			if pods != tc.pods || unsure != tc.unsure {
				t.Errorf("%s: got %d, %v; want %d, %v", name, pods, unsure, tc.pods, tc.unsure)
			}
		})
	}
}
