package replay

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// twoValues are two values, each for as long.
func twoValues(each time.Duration, first, second scale.Amount) trace.Trace {
	return trace.Trace{Step: each, Points: []trace.Point{{At: monday, Value: first}, {At: monday.Add(each), Value: second}}}
}

// wave is the first of the waves.
func wave() trace.Trace {
	t := waves()
	t.Points = t.Points[:240]
	return t
}

// measuredIn are the measures of policies in a plant.
func measuredIn(t *testing.T, recorded trace.Trace, p Plant, policies ...string) []Measure {
	t.Helper()
	p.Measured = true
	r := newReplay(t, recorded, p)
	var out []Measure
	for _, result := range run(t, r, false, named(t, policies...)...) {
		if result.Score.Total != result.Score.T {
			t.Errorf("%s: T is %v and %v", result.Policy, result.Score.Total, result.Score.T)
		}
		out = append(out, *result.Score.Measure)
	}
	return out
}

// TestMeasure is worked out by hand: half an hour of one core, then of two. One
// pod is billed an hour and loses half a core-hour, at fifty times its price. Two
// lose nothing. The oracle's second pod starts half a minute early, which is a
// 120th of an hour, and its start costs as much. HPAs of 40 and 45 % begin with
// three pods, from 50 % on with two: 1 core of 2 is over none of them. Of two
// cores, those of 70 to 90 % want three pods, from the second look after the
// change on; below that it is four, and beyond 90 % one pod is within the
// tolerance, whatever comes.
func TestMeasure(t *testing.T) {
	h := BestHPA{Target: 70, T: sixDigits(1 + (2*30+3*1770.)/3600 + 2/120.)}
	h2 := h
	h2.DownWindowSeconds = 300
	of := func(total, g float64) Measure {
		return Measure{T: sixDigits(total), D: 1.5, BestHPA: h, G: sixDigits(g), BestHPA2: h2, G2: sixDigits(g)}
	}
	all := 1 + (2*30+3*1770.)/3600 + 2/120. // H itself.
	want := []Measure{
		of(1+50*0.5, (all-26)/(all-1.5)), of(2, (all-2)/(all-1.5)), of(1.5+2/120., (all-1.5-2/120.)/(all-1.5)), of(all, 0), of(26, (all-26)/(all-1.5)),
	}
	got := measuredIn(t, twoValues(30*time.Minute, 1000, 2000), Ideal(), "static:1", "static:2", "oracle", "hpa:90", "hpa:95")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func sixDigits(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// TestConstantDemand: 0.6 cores need one pod, which every HPA of 55 % or more
// keeps. One pod gains nothing over that, and two lose two core-hours, of the
// 0.8 between two hours and 1.2.
func TestConstantDemand(t *testing.T) {
	got := measuredIn(t, twoValues(time.Hour, 600, 600), Ideal(), "static:1", "static:2")
	best := BestHPA{Target: 55, T: 2}
	if got[0].BestHPA != best || got[0].G != 0 || got[0].T != 2 || got[0].D != 1.2 || got[1].G != -2.5 || got[1].G2 != -2.5 {
		t.Errorf("%+v", got)
	}
	// 0.2 cores need one pod whatever the target: the best is none at an end.
	if low := measuredIn(t, twoValues(time.Hour, 200, 200), Ideal(), "static:1")[0]; low.BestHPA.Target != 45 || low.BestHPA.AtEnd {
		t.Errorf("%+v", low)
	}
	// Where the best HPA is nearly as cheap as the demand, a twentieth of the
	// demand is what could be gained.
	got = measuredIn(t, twoValues(time.Hour, 990, 990), Ideal(), "static:2")
	if got[0].BestHPA.T != 2 || got[0].G != sixDigits((2-4)/(1.98/20)) {
		t.Errorf("%+v", got)
	}
}

// TestPrices: everything that T is made of, each at a price of its own.
func TestPrices(t *testing.T) {
	hours := func(n int64) sim.Work { return sim.Work{}.Plus(scale.Amount(n)*scale.Thousand, time.Hour) }
	s := sim.Score{Billed: hours(100), Unserved: hours(2), Late: hours(3), PodStarts: 7, PodStops: 5, PodResizes: 60, Restarts: 4}
	usual := UsualPrices()
	if got, want := usual.total(s).hours(), 100+50*2+5*3+(7+5+2*4+60/5.)/120; got != sixDigits(want) {
		t.Errorf("%v, want %v", got, want)
	}
	own := Prices{Unserved: 10 * scale.Parts, Late: scale.Parts / 2, Start: 3600 * scale.Thousand, Resize: 360 * scale.Thousand}
	if got := own.total(s).hours(); got != 100+20+1.5+20+6 {
		t.Errorf("other prices: %v", got)
	}
}

// TestBestAtAnEnd: where lost work costs no more than work that is done, to keep
// one pod of one and a half is best, and only a target of 150 % does.
func TestBestAtAnEnd(t *testing.T) {
	p := Ideal()
	p.Prices.Unserved = scale.Parts
	got := measuredIn(t, twoValues(time.Hour, 1500, 1500), p, "static:1")[0]
	// It has two pods until the first look after the five minutes of its window, and
	// stops one.
	if got.BestHPA.T != sixDigits(3+0.5*315/3600+1/120.) || got.BestHPA.String() != "3.1 (150%, an end)" {
		t.Errorf("a table shows %s of %+v", got.BestHPA, got)
	}
	if warnings := got.Warnings(); got.BestHPA.Target != 150 || !got.BestHPA.AtEnd || len(warnings) == 0 || !strings.Contains(warnings[0], "150%, an end") {
		t.Errorf("%+v, %q", got, warnings)
	}
	// As usual it is not.
	got = measuredIn(t, wave(), Honest(), "static:10")[0]
	if got.BestHPA.AtEnd || got.BestHPA2.AtEnd || len(got.Warnings()) > 0 || got.BestHPA2.T > got.BestHPA.T {
		t.Errorf("%+v", got)
	}
}

// TestSearchIsOfNamedHPAs: the best is the best of what --policy hpa:N replays, in
// the same plant, and those of a shorter window are those with such a behavior. (An
// HPA without a behavior is no HPA with a behavior of 300 s: upstream limits its
// steps in another way.)
func TestSearchIsOfNamedHPAs(t *testing.T) {
	r := newReplay(t, wave(), Honest())
	best, _, err := r.best(t.Context(), usualOnly, nil)
	if err != nil {
		t.Fatal(err)
	}
	least := math.Inf(1)
	for target := leastTarget; target <= mostTarget; target += targetStep {
		score, err := r.Score(named(t, "hpa:"+strconv.Itoa(target))[0])
		if err != nil {
			t.Fatal(err)
		}
		least = min(least, score.Total)
		if int32(target) == best.Target && score.Total != best.T {
			t.Errorf("hpa:%d is found at %v, and costs %v", target, best.T, score.Total)
		}
	}
	if best.T != least {
		t.Errorf("the best is %+v, but one costs %v", best, least)
	}
	for i, window := range downWindows {
		if window == usualWindow {
			continue
		}
		spec := HPA(70)
		spec.Behavior = &v1alpha1.Behavior{ScaleDown: &v1alpha1.ScalingRules{StabilizationWindowSeconds: &window}}
		p, err := FromSpec("", spec)
		if err != nil {
			t.Fatal(err)
		}
		s, c, err := r.start(p)
		if err != nil {
			t.Fatal(err)
		}
		scores, err := r.hpas(t.Context(), i, nil)
		if at := (70 - leastTarget) / targetStep; err != nil || scores[at] != sim.Run(s, c, nil) {
			t.Errorf("window of %d s: %+v, %v", window, scores[at], err)
		}
	}
}

// TestSearchedOnce: what was found is not looked for again.
func TestSearchedOnce(t *testing.T) {
	r := newReplay(t, twoValues(time.Hour, 600, 600), Ideal())
	if _, err := r.Measure(sim.Score{}); err != nil {
		t.Fatal(err)
	}
	r.hindsight[0].scores[3] = sim.Score{Billed: sim.Work{}.Plus(scale.Thousand, time.Hour)}
	if got, err := r.Measure(sim.Score{}); err != nil || got.BestHPA.T != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestSearchEnds: a search ends with its context, and who asks again goes on from what is
// known by then.
func TestSearchEnds(t *testing.T) {
	r := newReplay(t, twoValues(time.Hour, 600, 600), Ideal())
	gone, stop := context.WithCancel(t.Context())
	stop()
	if _, _, err := r.BestHPA(gone); !errors.Is(err, context.Canceled) || r.hindsight[0].known != [targets]bool{} {
		t.Errorf("nobody waits, and it is %v", err)
	}
	r.hindsight[0].known[3], r.hindsight[0].scores[3] = true, sim.Score{Billed: sim.Work{}.Plus(scale.Thousand, time.Hour)}
	if best, _, err := r.BestHPA(t.Context()); err != nil || best.T != 1 {
		t.Errorf("what is known is looked for again: %+v, %v", best, err)
	}
}

// TestNobodyGainsAll: whoever it is, in whichever plant and at whatever prices, is
// not cheaper than the demand, so nobody gains more than all there is; and who
// may choose the window is the stronger rival.
func TestNobodyGainsAll(t *testing.T) {
	draw.Check(t, func(rt *rapid.T) {
		plant := Plants[rapid.SampledFrom([]string{"honest", "ideal"}).Draw(rt, "plant")]()
		plant.Prices.Unserved = rapid.Int64Range(scale.Parts, 100*scale.Parts).Draw(rt, "unserved")
		recorded := trace.Trace{Step: time.Minute}
		for i := range rapid.IntRange(2, 8).Draw(rt, "minutes") {
			recorded.Points = append(recorded.Points, trace.Point{
				At: monday.Add(time.Duration(i) * time.Minute), Value: scale.Amount(rapid.Int64Range(0, 6000).Draw(rt, "demand")),
			})
		}
		policy := rapid.SampledFrom([]string{"static:0", "static:1", "static:4", "hpa:50", "hpa:100", "oracle"}).Draw(rt, "policy")
		m := measuredIn(t, recorded, plant, policy)[0]
		if m.T < m.D || m.G > 1 || m.G2 > m.G || m.G2 > 1 || m.BestHPA.T < m.D || m.BestHPA2.T > m.BestHPA.T {
			rt.Errorf("%s: %+v", policy, m)
		}
	})
}

// TestMeasuresAddUp: what a fleet gains is of the sums.
func TestMeasuresAddUp(t *testing.T) {
	a := &Measure{T: 12, D: 10, BestHPA: BestHPA{Target: 80, T: 14, UnservedPercent: 1}, BestHPA2: BestHPA{Target: 75, DownWindowSeconds: 60, T: 13}}
	b := &Measure{T: 30, D: 30, BestHPA: BestHPA{Target: 90, T: 34, UnservedPercent: 3, AtEnd: true}, BestHPA2: BestHPA{Target: 90, T: 30}}
	var none *Measure
	got := none.Plus(a).Plus(b).Plus(nil)
	want := &Measure{T: 42, D: 40, BestHPA: BestHPA{T: 48, UnservedPercent: 2.5, AtEnd: true}, G: 6. / 8, BestHPA2: BestHPA{T: 43}, G2: 1. / 3}
	if diff := cmp.Diff(want, got); diff != "" || a.T != 12 {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
