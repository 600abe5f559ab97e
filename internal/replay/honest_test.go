package replay

import (
	"reflect"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// scoreIn is the score of a policy on the waves in a plant.
func scoreIn(t *testing.T, policy string, p Plant) Score {
	t.Helper()
	return run(t, newReplay(t, waves(), p), false, named(t, policy)...)[0].Score
}

// TestPartsOfTheHonestPlant: each part can be turned off alone, and shows in the
// score that it is for.
func TestPartsOfTheHonestPlant(t *testing.T) {
	honest := scoreIn(t, "hpa:90", Honest())
	if honest.Late == 0 || honest.P99WaitSeconds < honest.P50WaitSeconds || honest.BilledCoreHours <= honest.CoreHours || honest.ViolationPercent == 0 {
		t.Errorf("as it is: %+v", honest)
	}
	for name, c := range map[string]struct {
		off   func(*Plant)
		shows func(Score) bool
	}{
		"no burst": {
			func(p *Plant) { p.Limits = p.Limits.With(scale.CPU, scale.Thousand) },
			func(s Score) bool {
				return s.UnservedPercent > honest.UnservedPercent && s.BilledCoreHours == s.CoreHours
			},
		},
		"a node alone":       {func(p *Plant) { p.Tenants.Use = 0 }, func(s Score) bool { return s.UnservedPercent < honest.UnservedPercent }},
		"busy neighbors":     {func(p *Plant) { p.Tenants.Use = scale.Parts }, func(s Score) bool { return s.UnservedPercent > honest.UnservedPercent }},
		"even load":          {func(p *Plant) { p.Uneven = 0 }, func(s Score) bool { return s.Late < honest.Late }},
		"requests at once":   {func(p *Plant) { p.Waiting.Most = 0 }, func(s Score) bool { return s.Late == 0 && s.MeanWaitSeconds == 0 }},
		"requests alike":     {func(p *Plant) { p.Waiting.Fixed = true }, func(s Score) bool { return s.Late < honest.Late }},
		"short requests":     {func(p *Plant) { p.Waiting.Service = time.Millisecond }, func(s Score) bool { return s.P99WaitSeconds < honest.P99WaitSeconds }},
		"a patient customer": {func(p *Plant) { p.Waiting.Late = time.Second }, func(s Score) bool { return s.Late == 0 && s.P99WaitSeconds == honest.P99WaitSeconds }},
		"room kept free":     {func(p *Plant) { p.Reserve = scale.Parts / 5 }, func(s Score) bool { return s.BilledCoreHours > 1.15*s.CoreHours }},
		"another seed":       {func(p *Plant) { p.Seed = 2 }, func(s Score) bool { return s.UnservedPercent != honest.UnservedPercent }},
	} {
		t.Run(name, func(t *testing.T) {
			p := Honest()
			c.off(&p)
			if got := scoreIn(t, "hpa:90", p); !c.shows(got) {
				t.Errorf("%+v, before %+v", got, honest)
			}
		})
	}
}

// TestNoiseIsOnLinesAlone: what was recorded stays as it is, and so does a
// recording that is as fine as the noise.
func TestNoiseIsOnLinesAlone(t *testing.T) {
	fine := waves()
	fine.Step = sim.NoiseStep
	for i := range fine.Points {
		fine.Points[i].At = fine.Points[0].At.Add(time.Duration(i) * fine.Step)
	}
	for name, c := range map[string]struct {
		recorded    trace.Trace
		interpolate bool
		noisy       bool
	}{"steps": {waves(), false, false}, "lines": {waves(), true, true}, "fine": {fine, true, false}} {
		t.Run(name, func(t *testing.T) {
			p := Honest()
			p.Interpolate = c.interpolate
			with := newReplay(t, c.recorded, p).plant.Demand
			p.Noise = 0
			without := newReplay(t, c.recorded, p).plant.Demand
			if noisy := !reflect.DeepEqual(with, without); noisy != c.noisy {
				t.Errorf("noisy: %v", noisy)
			}
		})
	}
}

// TestMoney is worked out by hand: three pods of a core and a GiB for a day, at 0.03
// and 0.004.
func TestMoney(t *testing.T) {
	p := Ideal()
	p.PriceCPU, p.PriceMemory = 30_000_000, 4_000_000
	if got := scoreIn(t, "static:3", p); got.Money != 72*0.03+72*0.004 {
		t.Errorf("%+v", got)
	}
	if got := scoreIn(t, "static:3", Ideal()); got.Money != 0 {
		t.Errorf("without prices: %+v", got)
	}
}

// TestLimitOfPods: without a limit a pod is bound by its node, or where that is
// empty by its request.
func TestLimitOfPods(t *testing.T) {
	p := Honest()
	p.Limits = scale.Resources{}
	if s := newReplay(t, waves(), p).Settings(); s.Limits.States(scale.CPU) {
		t.Errorf("with neighbors: %+v", s.Limits)
	}
	p.Tenants.Use = 0
	s := newReplay(t, waves(), p).Settings()
	if limit, _ := s.Limits.Get(scale.CPU); limit != scale.Thousand {
		t.Errorf("without: %+v", s.Limits)
	}
	// An oracle counts on requests, where bursts are not promised.
	if with, without := Honest(), p; with.Needed(8000) != 8 || without.Needed(8000) != 8 {
		t.Error("the oracle counts on bursts")
	}
}
