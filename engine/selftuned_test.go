package engine_test

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/elastic"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/learn"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
)

// tunable is headroom that is weighed by prices, of pods whose usual size is a core.
func tunable(tune learn.Tune) engine.Policy {
	return engine.Policy{
		Learn: learn.Rules{Tune: tune}, Sync: 15 * time.Second, Limit: limit.Rules{Min: 1, Max: 100, Step: 1},
		Horizontal: horizontal.Rules{StaleAfter: 5 * time.Minute, Metrics: []horizontal.Metric{
			{Name: "cpu", Type: scale.Utilization, Headroom: true, Band: scale.Band{Low: 90_000, High: 90_000}},
		}},
		Elastic: &elastic.Rules{Usual: 1000, Min: 500, Max: 4000, Prices: &elastic.Prices{Unserved: 50_000, Late: 5000, Start: 30_000, Resize: 6000}},
	}
}

// podsOf are pods that each request and use so much.
func podsOf(n int32, request, used scale.Amount, found *scale.Tuned) scale.Observation {
	obs := scale.Observation{At: noon, Target: scale.Target{SpecReplicas: n, StatusReplicas: n,
		Containers: []scale.Container{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, request)}}}}
	for range n {
		obs.Pods = append(obs.Pods, scale.Pod{
			Ready: scale.Ready, StartedAt: noon.Add(-time.Hour), ReadyChangedAt: noon.Add(-time.Hour), UsageAt: noon,
			Containers: []scale.PodContainer{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, request), Usage: scale.Resources{}.With(scale.CPU, used)}},
		})
	}
	if found != nil {
		obs.Learned = &scale.Learned{Tuned: found}
	}
	return obs
}

// TestTunedPodsHaveTheirUsualSize: as many have it as hold what was desired, and
// from then on the count alone changes.
func TestTunedPodsHaveTheirUsualSize(t *testing.T) {
	p := tunable(learn.TuneNightly)
	found := &scale.Tuned{At: noon, Setting: scale.Setting{Target: 50}}
	// Four pods of 1.5 cores use three: at 50 % that is what they have, in six of one.
	d, memory := engine.Decide(p, podsOf(4, 1500, 750, found), engine.Memory{Seen: true, Replicas: 4})
	each, _ := d.Want.Containers[0].Requests.Get(scale.CPU)
	if d.Want.Replicas != 6 || each != 1000 {
		t.Errorf("%d pods of %s, want 6 of 1", d.Want.Replicas, each)
	}
	// Twice as much is used: twelve pods hold it at 50 %.
	obs := podsOf(6, 1000, 1000, nil)
	obs.At = noon.Add(15 * time.Second)
	d, _ = engine.Decide(p, obs, memory)
	if each, _ = d.Want.Containers[0].Requests.Get(scale.CPU); d.Want.Replicas != 12 || each != 1000 || d.Reason != scale.AboveTarget {
		t.Errorf("%d pods of %s by %s, want 12 of 1 by AboveTarget", d.Want.Replicas, each, d.Reason)
	}
}

// TestWhatIsFoundIsRemembered: the newest of it, by those who tune, and as long as
// they do.
func TestWhatIsFoundIsRemembered(t *testing.T) {
	old, older := &scale.Tuned{At: noon.Add(-time.Hour), Setting: scale.Setting{Target: 70}}, &scale.Tuned{At: noon.Add(-2 * time.Hour)}
	recent := &scale.Tuned{At: noon.Add(-time.Minute), Setting: scale.Setting{Target: 80}}
	ahead := &scale.Tuned{At: noon.Add(time.Hour), Setting: scale.Setting{Target: 80}}
	many := &scale.Tuned{At: noon, Candidates: make([]scale.Candidate, scale.MaxCandidates+1)}
	for name, c := range map[string]struct {
		tune           learn.Tune
		before, brings *scale.Tuned
		target         int32
		none           bool
	}{
		"newer":                 {tune: learn.TuneNightly, before: old, brings: recent, target: 80},
		"older":                 {tune: learn.TuneNightly, before: old, brings: older, target: 70},
		"nothing new":           {tune: learn.TuneNightly, before: old, target: 70},
		"frozen":                {tune: learn.TuneFrozen, before: old, brings: recent, target: 70},
		"frozen from the start": {tune: learn.TuneFrozen, brings: recent, none: true},
		"off":                   {tune: learn.TuneOff, before: old, brings: recent, none: true},
		"a wrong clock":         {tune: learn.TuneNightly, before: old, brings: ahead, target: 80},
		"a clock was set back":  {tune: learn.TuneNightly, before: ahead, brings: &scale.Tuned{At: noon, Setting: scale.Setting{Target: 90}}, target: 80},
		"absurd":                {tune: learn.TuneNightly, before: old, brings: &scale.Tuned{At: noon, Setting: scale.Setting{Target: -5}}, target: 70},
		"too much":              {tune: learn.TuneNightly, before: old, brings: many, target: 70},
	} {
		t.Run(name, func(t *testing.T) {
			memory := engine.Memory{Seen: true, Replicas: 4}
			memory.Learned.Tuned = c.before
			_, next := engine.Decide(tunable(c.tune), podsOf(4, 1000, 700, c.brings), memory)
			switch got := next.Learned.Tuned; {
			case c.none && got != nil:
				t.Errorf("%+v is remembered", got)
			case !c.none && (got == nil || got.Target != c.target):
				t.Errorf("%+v is remembered, want a target of %d", got, c.target)
			case got != nil && c.brings != nil && got.Target == 80 && c.before == old && got.At.After(noon):
				t.Errorf("it is of %s, which has not come", got.At)
			}
		})
	}
}

// TestOthersAreNotTuned: where prices have no say there is nothing to choose.
func TestOthersAreNotTuned(t *testing.T) {
	p := tunable(learn.TuneNightly)
	p.Elastic = nil
	_, next := engine.Decide(p, podsOf(4, 1000, 700, &scale.Tuned{At: noon, Setting: scale.Setting{Target: 50}}), engine.Memory{})
	if next.Learned.Tuned != nil {
		t.Errorf("%+v is remembered", next.Learned.Tuned)
	}
}
