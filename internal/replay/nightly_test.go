package replay

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// TestAReplayTunesItself: at two in the night, once most of a day is known, and not
// before; with demand that jumps too fast to be followed it becomes an HPA.
func TestAReplayTunesItself(t *testing.T) {
	start := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	var points []trace.Point
	for at := time.Duration(0); at < 27*time.Hour; at += 15 * time.Second {
		value := scale.Amount(2000)
		if at%(4*time.Minute) == 0 {
			value = 8000
		}
		points = append(points, trace.Point{At: start.Add(at), Value: value})
	}
	r, err := New(trace.Trace{Step: 15 * time.Second, Points: points}, Honest())
	if err != nil {
		t.Fatal(err)
	}
	no, most := false, int32(100)
	p, err := FromSpec("tuned", v1alpha1.WorkloadAutoscalerSpec{
		Replicas: v1alpha1.ReplicaSpec{Max: &most},
		Learn:    &v1alpha1.Learn{Headroom: &v1alpha1.Headroom{Resize: &v1alpha1.HeadroomResize{Enabled: &no}}, Tune: v1alpha1.TuneNightly},
	})
	if err != nil {
		t.Fatal(err)
	}
	s, c, err := r.start(p)
	if err != nil {
		t.Fatal(err)
	}
	var first *scale.Tuned
	sim.Run(s, c, func(m sim.Moment) bool {
		for _, step := range m.Decision.Steps {
			if step.Reason == scale.SelfTuned && first == nil {
				first = step.Tuned
			}
		}
		return true
	})
	if night := start.Add(26 * time.Hour); first == nil || first.At.Before(night) || first.At.After(night.Add(s.Sync)) || first.Target == 0 {
		t.Errorf("it was tuned by %+v, want an HPA at %s", first, night)
	}
}
