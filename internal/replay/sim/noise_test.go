package sim

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// TestNoise: 3 % at 10 cores, half of that at 40, around the demand that there is,
// and forgotten by e after 15 seconds, however seldom it moves.
func TestNoise(t *testing.T) {
	for _, grain := range []time.Duration{NoiseStep, 3 * NoiseStep} {
		t.Run(grain.String(), func(t *testing.T) { noisyBy(t, grain) })
	}
	none := demandOf(t, NoiseStep, 0, 0, 0).WithNoise(scale.Parts, NoiseStep, 1)
	if none.Work() != (Work{}) {
		t.Errorf("of nothing: %+v", none.Work())
	}
	small := demandOf(t, NoiseStep, slices.Repeat([]scale.Amount{10}, 1000)...).WithNoise(scale.Parts, NoiseStep, 1)
	if slices.ContainsFunc(small.points, func(p trace.Point) bool { return p.Value < 0 }) {
		t.Error("a demand below zero")
	}
}

func noisyBy(t *testing.T, grain time.Duration) {
	for cores, want := range map[int64]float64{10: 0.03, 40: 0.015, 1000: 0.003} {
		values := slices.Repeat([]scale.Amount{scale.Amount(cores) * scale.Thousand}, 100_000)
		noisy := demandOf(t, grain, values...).WithNoise(scale.Parts*3/100, grain, 1)
		var x []float64
		for _, p := range noisy.points {
			x = append(x, float64(p.Value))
		}
		mean, deviation := moments(x)
		level := float64(cores * 1000)
		if math.Abs(mean/level-1) > 0.001 || math.Abs(deviation/level-want) > want/30 {
			t.Errorf("%d cores: mean %.1f, deviation %.5f, want %.5f", cores, mean, deviation/level, want)
		}
		apart := int(15 * time.Second / grain)
		if got := correlation(x[:len(x)-apart], x[apart:]); math.Abs(got-math.Exp(-1)) > 0.02 {
			t.Errorf("%d cores: correlation after 15 s %.3f", cores, got)
		}
	}
}
