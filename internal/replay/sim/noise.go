package sim

import (
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/internal/seeded"
	"github.com/tidemark/tidemark/scale"
)

const (
	// NoiseStep is how often noise is drawn anew, where Settings.Grain is not coarser.
	NoiseStep = 5 * time.Second
	// noiseKeep is what is left of it after a step, in billionths: e to the power
	// of −5 s by a memory of 15 s.
	noiseKeep = 716_531_311
	// noiseAt is the demand, in cores, of which the noise is the share that it is
	// said to be. Work of many independent requests is noisy by the root of it.
	noiseAt = 10 * scale.Thousand
)

// Steps is how long noise and neighbors stay as they are.
func (s *Settings) Steps() time.Duration { return max(s.Grain, NoiseStep) }

// kept is what is left after a longer time of what keeps such a share in NoiseStep.
func kept(share int64, after time.Duration) int64 {
	left := share
	for after -= NoiseStep; after > 0; after -= NoiseStep {
		left = left * share / scale.Parts
	}
	return left
}

// WithNoise returns the demand with noise, of such a share in billionths at a
// demand of 10 cores, drawn anew in each grain. A straight line between two samples is a gift to whoever
// follows trends: no demand is one.
func (d Demand) WithNoise(share int64, grain time.Duration, seed uint64) Demand {
	out := Demand{points: make([]trace.Point, len(d.points)), end: d.end}
	noise, steps := newWander(kept(noiseKeep, grain), seeded.Normal(seed, drawNoise, 0)), uint64(0)
	for i, p := range d.points {
		for ; d.Start().Add(time.Duration(steps+1)*grain).Compare(p.At) <= 0; steps++ {
			noise.step(seeded.Normal(seed, drawNoise, steps+1))
		}
		spread := int64(root(uint64(noiseAt)*uint64(min(p.Value, maxNoisy)))) * (share / 1000) / (scale.Parts / 1000)
		out.points[i] = trace.Point{At: p.At, Value: max(p.Value+scale.Amount(spread*(noise.now/1000)/(scale.Parts/1000)), 0)}
	}
	return out
}

// maxNoisy keeps products within 64 bits. Noise of more is next to nothing.
const maxNoisy = maxCPU
