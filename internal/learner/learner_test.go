package learner

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/scale"
)

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// observed is a workload whose pods, all of them ready for long, used so much
// each half a minute ago.
func observed(at time.Time, pods int, each, limit scale.Amount) *scale.Observation {
	cpu := scale.Resources{}.With(scale.CPU, limit)
	obs := &scale.Observation{At: at, Target: scale.Target{
		SpecReplicas: int32(pods), StatusReplicas: int32(pods), Containers: []scale.Container{{Name: "app", Requests: cpu, Limits: cpu}},
	}}
	for i := range pods {
		obs.Pods = append(obs.Pods, scale.Pod{
			Name: fmt.Sprint("app-", i), Ready: scale.Ready, StartedAt: noon.Add(-time.Hour), ReadyChangedAt: noon.Add(-time.Hour), UsageAt: at.Add(-30 * time.Second),
			Containers: []scale.PodContainer{{Name: "app", Requests: cpu, Usage: scale.Resources{}.With(scale.CPU, each)}},
		})
	}
	return obs
}

func learner(t *testing.T, p Plan) *Learner {
	t.Helper()
	p.Settings, p.Headroom, p.Places, p.Sync = history.DefaultSettings(), true, []string{""}, 15*time.Second
	l, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// learned shows a learner some observations and returns what it says of the
// last.
func learned(t *testing.T, l *Learner, all ...*scale.Observation) scale.LearnedHeadroom {
	t.Helper()
	for _, obs := range all {
		l.Learn(obs, nil)
	}
	last := all[len(all)-1]
	if last.Learned == nil || len(last.Learned.Headroom) != 1 {
		t.Fatalf("nothing is known of the headroom: %+v", last.Learned)
	}
	return last.Learned.Headroom[0]
}

// TestHeadroomIsBounded: until it is known it is the most, and the reaction of
// pods that are resized in place is the delay and the sync period alone.
func TestHeadroomIsBounded(t *testing.T) {
	l := learner(t, Plan{Risk: scale.Parts / 20, MinPercent: 10, MaxPercent: 25, InPlace: true})
	got := learned(t, l, observed(noon, 4, 500, 1000))
	want := scale.LearnedHeadroom{Resource: scale.CPU, Expected: 2000, Headroom: 500, PerPod: 500, Within: 45 * time.Second, Risk: scale.Parts / 20}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("at first (-want +got):\n%s", diff)
	}
	// Once it is known that usage never grows, it is the least.
	for i := range 400 {
		got = learned(t, l, observed(noon.Add(time.Duration(i+1)*15*time.Second), 4, 500, 1000))
	}
	want.Headroom = 200
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("later (-want +got):\n%s", diff)
	}
}

// TestPodsThatHaveGoneDidTheirPart: four pods used half a core each. Two leave;
// the next samples are still from before, and only those of two are left.
func TestPodsThatHaveGoneDidTheirPart(t *testing.T) {
	l := learner(t, Plan{Risk: scale.Parts / 20, MaxPercent: 25})
	at := func(n int) time.Time { return noon.Add(time.Duration(n) * 15 * time.Second) }
	got := learned(t, l, observed(at(0), 4, 500, 1000), observed(at(1), 4, 500, 1000), observed(at(2), 2, 500, 1000))
	if got.Expected != 2000 {
		t.Errorf("two of four pods are left, and %s are expected", got.Expected)
	}
	got = learned(t, l, observed(at(3), 2, 1000, 1000), observed(at(4), 2, 1000, 1000))
	if got.Expected != 2000 {
		t.Errorf("later %s are expected", got.Expected)
	}
}

// TestOnlyPodsThatServeShowDemand is reading Z1: four pods serve with half a core
// each. What others burn is not asked for by anyone, unless no pod serves.
func TestOnlyPodsThatServeShowDemand(t *testing.T) {
	startUp := scale.StartUp{CPU: 5 * time.Minute, Readiness: 30 * time.Second}
	crashing := func(p *scale.Pod) { p.Ready, p.RestartedAt = scale.NotReady, noon.Add(-time.Minute) }
	lost := func(p *scale.Pod) { p.Ready, p.ReadyChangedAt = scale.NotReady, noon.Add(-time.Minute) }
	for name, tc := range map[string]struct {
		change   func(*scale.Pod)
		of, all  int
		expected scale.Amount
	}{
		"all serve":               {lost, 0, 4, 2000},
		"two crash":               {crashing, 2, 6, 2000},
		"two lost readiness":      {lost, 2, 6, 2000},
		"an overload has hit all": {lost, 6, 6, 3000},
	} {
		t.Run(name, func(t *testing.T) {
			obs := observed(noon, tc.all, 500, 1000)
			for i := range tc.of {
				tc.change(&obs.Pods[i])
			}
			l := learner(t, Plan{Risk: scale.Parts / 20, MaxPercent: 25, StartUp: startUp})
			if got := learned(t, l, obs); got.Expected != tc.expected {
				t.Errorf("%s are expected, want %s", got.Expected, tc.expected)
			}
		})
	}
	// Where all crash, there is nothing to learn from.
	obs := observed(noon, 3, 2500, 1000)
	for i := range obs.Pods {
		crashing(&obs.Pods[i])
	}
	learner(t, Plan{Risk: scale.Parts / 20, MaxPercent: 25, StartUp: startUp}).Learn(obs, nil)
	if obs.Learned != nil {
		t.Errorf("a crash loop teaches %+v", obs.Learned)
	}
}

// TestReadinessLostSinceTheSample: pods that all lost readiness after they were
// measured are not taken for others that have gone.
func TestReadinessLostSinceTheSample(t *testing.T) {
	l := learner(t, Plan{Risk: scale.Parts / 20, MaxPercent: 25, StartUp: scale.StartUp{CPU: 5 * time.Minute, Readiness: 30 * time.Second}})
	before, after := observed(noon, 4, 500, 1000), observed(noon.Add(15*time.Second), 4, 500, 1000)
	for i := range after.Pods {
		after.Pods[i].Ready, after.Pods[i].ReadyChangedAt = scale.NotReady, noon.Add(5*time.Second)
	}
	if got := learned(t, l, before, after); got.Expected != 2000 {
		t.Errorf("%s are expected, want 2", got.Expected)
	}
}

// TestFullDependsOnTheLimitThen: pods at their limit are full, and remain so
// after they were made larger, until there are samples from after that.
func TestFullDependsOnTheLimitThen(t *testing.T) {
	l := learner(t, Plan{Risk: scale.Parts / 20, MaxPercent: 25, InPlace: true})
	for i, c := range []struct {
		each, limit scale.Amount
		full        bool
	}{
		{500, 1000, false}, {500, 1000, false}, {1000, 1000, true},
		// Made larger at the third look; the fourth still sees the usage of the second.
		{1000, 2500, true}, {1600, 2500, false},
		// Made smaller at the fifth, which does not make the usage of before full.
		{1600, 1600, false}, {1590, 1600, true},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			got := learned(t, l, observed(noon.Add(time.Duration(i)*15*time.Second), 4, c.each, c.limit))
			if got.Full != c.full {
				t.Errorf("look %d, %s of %s: full is %v", i, c.each, c.limit, got.Full)
			}
		})
	}
}

// TestUsageIsKeptForThoseWhoMayAsk: without it a learner says the same of bounds,
// and knows nothing that pods could be sized by.
func TestUsageIsKeptForThoseWhoMayAsk(t *testing.T) {
	kept := learner(t, Plan{Bounds: true, Factors: history.DefaultFactors(), Usage: true})
	bare := learner(t, Plan{Bounds: true, Factors: history.DefaultFactors()})
	for i := range 8 * 24 {
		at := noon.Add(time.Duration(i) * time.Hour)
		one, other := observed(at, 3+i%5, 400, 1000), observed(at, 3+i%5, 400, 1000)
		kept.Learn(one, nil)
		bare.Learn(other, nil)
		if diff := cmp.Diff(one.Learned, other.Learned); diff != "" {
			t.Fatalf("at %s the learned differs (-with usage +without):\n%s", at, diff)
		}
		if i == 7*24 && (other.Learned == nil || other.Learned.Min == 0) {
			t.Fatalf("after a week nothing is learned: %+v", other.Learned)
		}
	}
	if names := kept.History.Usage.Containers(); len(names) != 1 {
		t.Errorf("usage is kept of %v, want of app", names)
	}
	if names := bare.History.Usage.Containers(); len(names) != 0 {
		t.Errorf("usage is kept of %v, which nobody asked for", names)
	}
}
