package search

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
)

// wasteful is a policy with a target that is much too low.
func wasteful() v1alpha1.WorkloadAutoscalerSpec {
	percent, most := int32(20), int32(200)
	return v1alpha1.WorkloadAutoscalerSpec{
		Replicas: v1alpha1.ReplicaSpec{Max: &most},
		Metrics: []v1alpha1.MetricSpec{{Type: v1alpha1.ResourceMetricType, Resource: &v1alpha1.ResourceMetric{
			Name: "cpu", Target: &v1alpha1.MetricTarget{AverageUtilization: &percent},
		}}},
	}
}

func twoDays(t testing.TB) *replay.Replay {
	t.Helper()
	demand, err := generate.Named("daily", 1, generate.Options{Length: 48 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	plant := replay.Plant{Settings: sim.Ideal()}
	plant.Sync = time.Minute
	r, err := replay.New(demand, plant)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func objective(t testing.TB, text string) Objective {
	t.Helper()
	o, err := ParseObjective(text)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func tuned(t *testing.T, text string, seed uint64) Result {
	t.Helper()
	r := twoDays(t)
	got, err := Search(context.Background(), SpaceOf(wasteful(), r.Peak()), r, Options{Objective: objective(t, text), Seed: seed, Evaluations: 60, HoldOut: 0.25})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestSearchFindsCheaper: a target of 20 % wastes four of five cores; less than
// half of that serves the same demand, also on the part that was held out.
func TestSearchFindsCheaper(t *testing.T) {
	o := "cost where unserved<=0.01%"
	got := tuned(t, o, 1)
	parsed := objective(t, o)
	if got.Evaluations < 60 || got.Evaluations > 60+13 || got.Best.Score.CoreHours > got.Base.Score.CoreHours/2 || len(parsed.Missed(got.Best.Score)) > 0 {
		t.Errorf("%d evaluations, from %+v to %+v", got.Evaluations, got.Base.Score, got.Best.Score)
	}
	if len(got.Base.Settings) != 0 || got.Best.Settings["metrics[0].target.averageUtilization"] == "" {
		t.Errorf("settings: %v, as it is %v", got.Best.Settings, got.Base.Settings)
	}
	if held := got.Best.HeldOut; held == nil || held.CoreHours > got.Base.HeldOut.CoreHours/2 || held.Hours != 12 {
		t.Errorf("held out: %+v, as it is %+v", held, got.Base.HeldOut)
	}
	if *got.Best.Spec.Metrics[0].Resource.Target.AverageUtilization == 20 || *wasteful().Metrics[0].Resource.Target.AverageUtilization != 20 {
		t.Error("the spec does not have the settings")
	}
}

// TestSearchRepeats: the same seed finds the same, another looks elsewhere.
func TestSearchRepeats(t *testing.T) {
	ignore := cmpopts.IgnoreUnexported(Trial{})
	first := tuned(t, "balanced", 1)
	if diff := cmp.Diff(first, tuned(t, "balanced", 1), ignore); diff != "" {
		t.Errorf("again (-first +second)\n%s", diff)
	}
	if cmp.Equal(first.Front, tuned(t, "balanced", 2).Front, ignore) {
		t.Error("another seed finds the same front")
	}
}

// TestFrontIsNotDominated: whatever was tried, nothing of the front beats
// another of it, and the best is beaten by none.
func TestFrontIsNotDominated(t *testing.T) {
	got := tuned(t, "balanced", 3)
	for _, a := range got.Front {
		for _, b := range got.Front {
			if dominates(a.Score, b.Score) {
				t.Errorf("%v beats %v", a.Settings, b.Settings)
			}
		}
		if a.Score.UnservedPercent > 1 {
			t.Errorf("%v drops %v%%", a.Settings, a.Score.UnservedPercent)
		}
		if dominates(a.Score, got.Best.Score) {
			t.Errorf("%v beats the best", a.Settings)
		}
	}
}

// TestBestIsSimple: whatever is taken back of the best makes it worse.
func TestBestIsSimple(t *testing.T) {
	o := objective(t, "balanced")
	got, r := tuned(t, "balanced", 4), twoDays(t)
	first, _, err := r.Split(0.25)
	if err != nil {
		t.Fatal(err)
	}
	space := SpaceOf(wasteful(), r.Peak())
	for i, k := range space.knobs {
		c := got.Best.candidate.clone()
		if c[i] == 0 {
			continue
		}
		c[i] = 0
		p, err := replay.FromSpec("", space.spec(c))
		if err != nil {
			continue
		}
		score, err := first.Score(p)
		if err != nil || !o.Better(got.Best.Score, Measured{score, first.Hours()}) {
			t.Errorf("%s=%s changes nothing, %v", k.name, got.Best.Settings[k.name], err)
		}
	}
}

// TestSearchEndsWithItsContext: the policy as it is is replayed all the same.
func TestSearchEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := twoDays(t)
	got, err := Search(ctx, SpaceOf(wasteful(), r.Peak()), r, Options{Objective: objective(t, "cost"), Evaluations: 1000})
	if err != nil || got.Evaluations != 1 {
		t.Errorf("%d evaluations, %v", got.Evaluations, err)
	}
}

// TestSpace: bounds that the user set are kept, and an HPA is not given what it
// does not have.
func TestSpace(t *testing.T) {
	least := int32(4)
	spec := wasteful()
	spec.Replicas.Min = &least
	space := SpaceOf(spec, 20)
	for _, k := range space.knobs {
		if k.name == "replicas.min" && !cmp.Equal(k.values, []string{"", "5", "7", "10"}) {
			t.Errorf("minima: %q", k.values)
		}
	}
	spec.Compatibility = v1alpha1.CompatibilityHPA
	hpa := SpaceOf(spec, 1)
	want := []string{
		"metrics[0].target.averageUtilization", "behavior.scaleUp.tolerance", "behavior.scaleUp.stabilizationWindowSeconds",
		"behavior.scaleDown.tolerance", "behavior.scaleDown.stabilizationWindowSeconds",
	}
	if diff := cmp.Diff(want, names(hpa)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for i, k := range hpa.knobs {
		for v := range k.values {
			c := make(candidate, len(hpa.knobs))
			c[i] = v
			if _, err := replay.FromSpec("", hpa.spec(c)); err != nil {
				t.Errorf("%s = %q: %v", k.name, k.values[v], err)
			}
		}
	}
}

// TestEveryKnobIsValidAlone: watermarks, headroom and all rules, one at a time.
// Only marks may contradict each other.
func TestEveryKnobIsValidAlone(t *testing.T) {
	spec := wasteful()
	spec.Metrics[0].Resource.Target = nil
	spec.Metrics[0].Resource.Watermarks = &v1alpha1.Watermarks{Type: v1alpha1.UtilizationTarget, Low: quantity("50"), High: quantity("75")}
	spec.Learn = &v1alpha1.Learn{Headroom: &v1alpha1.Headroom{}}
	space := SpaceOf(spec, 30)
	for i, k := range space.knobs {
		for v := range k.values {
			c := make(candidate, len(space.knobs))
			c[i] = v
			if _, err := replay.FromSpec("", space.spec(c)); err != nil && !strings.Contains(k.name, "watermarks") {
				t.Errorf("%s = %q: %v", k.name, k.values[v], err)
			}
		}
	}
	if len(space.knobs) != 16 {
		t.Errorf("%d knobs: %q", len(space.knobs), names(space))
	}
}

// TestFront: the dominated leave, of equal ones the simplest stays.
func TestFront(t *testing.T) {
	trial := func(cost, unserved float64, changes int64, settings ...string) Trial {
		out := Trial{Score: measured(cost, unserved, changes), Settings: map[string]string{}}
		for _, s := range settings {
			out.Settings[s] = "x"
		}
		return out
	}
	got := front([]Trial{
		trial(100, 0, 5, "a", "b"), trial(100, 0, 5, "c"), trial(100, 0, 5, "d"), trial(101, 0, 5), trial(90, 1, 5, "e"), trial(120, 0, 1, "f"), trial(90, 1, 6),
	})
	want := []Trial{trial(90, 1, 5, "e"), trial(100, 0, 5, "c"), trial(120, 0, 1, "f")}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Trial{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]Trial{want[0], want[2]}, thinned(want, 2), cmpopts.IgnoreUnexported(Trial{})); diff != "" {
		t.Errorf("thinned (-want +got)\n%s", diff)
	}
	if left := tolerable(front([]Trial{trial(1, 50, 0), trial(90, 0.5, 5)}), measured(0, 0, 0)); len(left) != 1 || left[0].Score.BilledCoreHours != 90 {
		t.Errorf("left are %v", left)
	}
}

// TestWarnings: what was not reached, what fits the first part alone, and what
// nobody checked.
func TestWarnings(t *testing.T) {
	o := objective(t, "cost where unserved<=0.01%, changes<=10")
	held := func(cost, unserved float64) *Measured {
		m := measured(cost, unserved, 0)
		return &m
	}
	for name, c := range map[string]struct {
		result Result
		want   []string
	}{
		"all is well": {Result{Base: Trial{HeldOut: held(100, 0)}, Best: Trial{Score: measured(50, 0, 0), HeldOut: held(50, 0)}}, nil},
		"unreachable": {
			Result{Base: Trial{HeldOut: held(100, 1)}, Best: Trial{Score: measured(50, 1, 11), HeldOut: held(50, 0)}},
			[]string{"nothing that was tried meets unserved<=0.01% and changes<=10: the best comes nearest"},
		},
		"luck": {
			Result{Base: Trial{HeldOut: held(100, 0)}, Best: Trial{Score: measured(50, 0, 0), HeldOut: held(50, 1)}},
			[]string{
				"the best does not meet unserved<=0.01% on the held-out part: it may fit the first part alone",
				"on the held-out part the policy as it is does better: keep it, or tune on a longer recording",
			},
		},
		"unchecked": {Result{Best: Trial{Score: measured(50, 0, 0)}}, []string{"nothing was held out, so the settings may fit this recording alone"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, c.result.Warnings(o)); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", name, diff)
			}
		})
	}
}

// names are those of what may be changed.
func names(s Space) (out []string) {
	for _, k := range s.knobs {
		out = append(out, k.name)
	}
	return out
}
