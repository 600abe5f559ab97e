package replay

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// TestRivalNames: every example of a name is known, and a wrong one is told what
// is right.
func TestRivalNames(t *testing.T) {
	named(t, YardstickNames...)
	named(t, "autopilot:max", "captain:0", "captain:10@sync", "crane:70", "aws-predictive:70")
	for name, want := range map[string]string{
		"kpa":                   "needs a number between 1 and 1000",
		"kpa:@sync":             "needs a number between 1 and 1000",
		"rhpa:0":                "needs a number between 1 and 1000",
		"captain:101":           "needs a number between 0 and 100",
		"captain:":              "needs a number between 0 and 100",
		"crane:":                "needs a number between 1 and 1000",
		"aws-predictive:x":      "needs a number between 1 and 1000",
		"autopilot:p99":         "ml, count or one of the statistics [p95 p90 p98 mean max]",
		"autopilot:":            "ml, count or one of the statistics",
		"crane@sync":            "goes without @sync",
		"aws-predictive:7@sync": "goes without @sync",
	} {
		t.Run(name, func(t *testing.T) {
			if _, known, err := Named(name); !known || err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
				t.Errorf("%v, %v", known, err)
			}
		})
	}
	for _, name := range []string{"kpas:70", "web@sync", "crane.yaml"} {
		if _, known, err := Named(name); known || err != nil {
			t.Errorf("%s is a file's name: %v, %v", name, known, err)
		}
	}
}

// everyRival are the names of all rivals.
func everyRival() []string { return append(YardstickNames[4:], "autopilot:max", "crane:70") }

// TestRivalsAreNoStrawMen: on an easy demand, each serves nearly all of it for less
// than three times what the oracle needs, and none flaps: no more than a change a
// minute, except by those that decide each second or two.
func TestRivalsAreNoStrawMen(t *testing.T) {
	r := newReplay(t, waves(), usual())
	for _, got := range run(t, r, false, named(t, everyRival()...)...) {
		s, most := got.Score, int64(24*60)
		if strings.HasPrefix(got.Policy, "captain") {
			most *= 20
		}
		if s.UnservedPercent > 1 || s.CoreHours > 3*s.OracleCoreHours || s.CoreHours < r.DemandCoreHours()*0.9 || s.Changes > most {
			t.Errorf("%s: %+v", got.Policy, s)
		}
	}
}

// TestRivalsComeToRest: under a demand that never changes nobody drops work or, once
// it has settled, changes anything. A captain sees the noise of the kernel's periods
// and goes on.
func TestRivalsComeToRest(t *testing.T) {
	flat := trace.Trace{Step: time.Minute}
	for i := range 24 * 60 {
		flat.Points = append(flat.Points, trace.Point{At: monday.Add(time.Duration(i) * time.Minute), Value: 7300})
	}
	p := usual()
	p.WarmUp = 12 * time.Hour
	for _, got := range run(t, newReplay(t, flat, p), false, named(t, everyRival()...)...) {
		if s := got.Score; s.UnservedPercent != 0 || s.Changes != 0 && !strings.HasPrefix(got.Policy, "captain") {
			t.Errorf("%s: %+v", got.Policy, s)
		}
	}
}

// TestRivalsUnderProblems: nothing that happens to pods stops anyone, and it is the same
// each time.
func TestRivalsUnderProblems(t *testing.T) {
	hours := waves()
	hours.Points = hours.Points[:180]
	hours.Points[40].Value, hours.Points[41].Value = 0, 60_000
	nothing := trace.Trace{Step: time.Minute, Points: []trace.Point{{At: monday}, {At: monday.Add(time.Hour)}}}
	p := usual()
	p.Crashes, p.Lost, p.Window, p.Resolution, p.Queue = scale.Parts/10, scale.Parts/10, 15*time.Second, 15*time.Second, 20_000
	p.Resize = sim.Resizing{Delay: 3 * time.Second, Deferred: scale.Parts / 10, DeferredFor: 5 * time.Minute, Infeasible: scale.Parts / 10}
	p.Ceiling, p.Nodes = 2000, sim.Nodes{Count: 8, CPU: 4000}
	for name, demand := range map[string]trace.Trace{"hours": hours, "nothing": nothing} {
		first := run(t, newReplay(t, demand, p), false, named(t, everyRival()...)...)
		again := run(t, newReplay(t, demand, p), false, named(t, everyRival()...)...)
		for i, got := range first {
			if s := got.Score; s.CoreHours <= 0 || s.CoreHours > 1000 {
				t.Errorf("%s, %s: %+v", name, got.Policy, s)
			}
			if diff := cmp.Diff(got.Score, again[i].Score); diff != "" {
				t.Errorf("%s, %s: the second run differs %s", name, got.Policy, diff)
			}
		}
	}
}

// TestWhatTheActuatorGains: the same HPA drops less when it acts by resizing pods at
// once, which is all that differs.
func TestWhatTheActuatorGains(t *testing.T) {
	steps := trace.Trace{Step: time.Minute}
	for i := range 6 * 60 {
		value := scale.Amount(4000)
		if i/30%2 == 1 {
			value = 10_000
		}
		steps.Points = append(steps.Points, trace.Point{At: monday.Add(time.Duration(i) * time.Minute), Value: value})
	}
	results := run(t, newReplay(t, steps, usual()), false, named(t, "hpa:70", "rhpa:70")...)
	if hpa, resized := results[0].Score, results[1].Score; resized.UnservedPercent >= hpa.UnservedPercent || resized.PodStarts >= hpa.PodStarts {
		t.Errorf("hpa %+v, resized %+v", hpa, resized)
	}
}

// TestRivalsGiveNoReasons: there is nothing to explain about what is not decided by
// the engine.
func TestRivalsGiveNoReasons(t *testing.T) {
	r := newReplay(t, waves(), usual())
	if _, err := r.Explain(named(t, "kpa:70")[0], monday.Add(time.Hour)); err == nil || !strings.Contains(err.Error(), "kpa:70 is no policy of the engine") {
		t.Error(err)
	}
}
