package engine_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/engine/schedule"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// windows are schedules that begin and end around noon.
func windows() *rapid.Generator[schedule.Window] {
	return rapid.Custom(func(t *rapid.T) schedule.Window {
		w := schedule.Window{
			Name: "w", From: noon.Add(seconds(300).Draw(t, "from") - 2*time.Minute), Freeze: schedule.Freeze(rapid.IntRange(0, 3).Draw(t, "freeze")),
		}
		w.Until = w.From.Add(time.Second + seconds(600).Draw(t, "lasts"))
		if rapid.Bool().Draw(t, "min") {
			w.Min = new(rapid.Int32Range(0, 150).Draw(t, "least"))
		}
		if rapid.Bool().Draw(t, "max") {
			w.Max = new(rapid.Int32Range(0, 150).Draw(t, "most"))
		}
		return w
	})
}

// timed draws what depends on the hour: schedules, a pause, fallbacks after a time.
func timed(t *rapid.T, p *engine.Policy) {
	if rapid.Bool().Draw(t, "scheduled") {
		p.Schedule = &schedule.Rules{Windows: rapid.SliceOfN(windows(), 1, 4).Draw(t, "windows")}
	}
	if rapid.Bool().Draw(t, "paused") {
		pause := limit.Pause{Pause: scale.Pause{By: "spec.pause", In: rapid.Bool().Draw(t, "in"), Out: rapid.Bool().Draw(t, "out")}}
		if pause.Whole() && rapid.Bool().Draw(t, "at a count") {
			pause.Replicas = new(rapid.Int32Range(0, 150).Draw(t, "count"))
		}
		if rapid.Bool().Draw(t, "ends") {
			pause.Until = noon.Add(seconds(300).Draw(t, "until"))
		}
		p.Limit.Pauses = []limit.Pause{pause}
	}
	for i := range p.Horizontal.Metrics {
		p.Horizontal.Metrics[i].OnMissing = horizontal.OnMissing{
			Policy: rapid.SampledFrom([]horizontal.MissingPolicy{horizontal.Hold, horizontal.Current, horizontal.CurrentIfHigher}).Draw(t, "fallback"),
			After:  seconds(120).Draw(t, "after"), Replicas: rapid.Int32Range(0, 150).Draw(t, "replicas"),
		}
	}
	p.FallsBack = p.Horizontal.FallsBack()
}

// TestTheHourIsKept: whatever schedules and pauses say, the count stays within the
// stated bounds unless it is paused, a direction that is forbidden is not taken
// except into those bounds, nothing passes a pause, no fallback lowers the count
// that was not asked to by name, and the same comes of the same.
func TestTheHourIsKept(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		p := policies().Draw(t, "policy")
		timed(t, &p)
		at, memory := noon, engine.Memory{}
		for range rapid.IntRange(1, 10).Draw(t, "decisions") {
			obs := observations(p, at).Draw(t, "seen")
			obs.Learned = &scale.Learned{StartUp: seconds(120).Draw(t, "ahead")}
			d, next := engine.Decide(p, obs, memory)
			checkHour(t, &p, &d)
			checkFreezes(t, &p, &d, at)
			text, err := json.Marshal(memory)
			if err != nil {
				t.Fatal(err)
			}
			var recalled engine.Memory
			if err := json.Unmarshal(text, &recalled); err != nil {
				t.Fatal(err)
			}
			again, after := engine.Decide(p, obs, recalled)
			if diff := cmp.Diff(d, again, cmp.AllowUnexported(scale.Resources{}, scale.PodNames{})) + cmp.Diff(next, after); diff != "" {
				t.Fatalf("after a round trip (-before +after):\n%s", diff)
			}
			at, memory = at.Add(time.Second+seconds(60).Draw(t, "pause")), next
		}
	})
}

func checkHour(t *rapid.T, p *engine.Policy, d *scale.Decision) {
	from, want := d.From.Replicas, d.Want.Replicas
	if d.RecheckAfter <= 0 || d.RecheckAfter > p.Sync {
		t.Fatalf("looks again after %s", d.RecheckAfter)
	}
	pause := d.Pause
	switch {
	case pause == nil:
		least := p.Limit.Min
		if p.Horizontal.Activates {
			least = min(least, p.Horizontal.Idle)
		}
		if want < least || want > p.Limit.Max {
			t.Fatalf("wants %d, the stated bounds are %d to %d", want, p.Limit.Min, p.Limit.Max)
		}
	case pause.Replicas != nil && want != *pause.Replicas:
		t.Fatalf("paused at %d, wants %d", *pause.Replicas, want)
	case pause.Replicas == nil && (pause.In && want < from || pause.Out && want > from):
		t.Fatalf("paused in: %t, out: %t, and goes from %d to %d", pause.In, pause.Out, from, want)
	}
}

// checkFreezes goes by the last window in force that states a freeze.
func checkFreezes(t *rapid.T, p *engine.Policy, d *scale.Decision, at time.Time) {
	if p.Schedule == nil {
		return
	}
	frozen := schedule.Freeze(0)
	for _, w := range p.Schedule.Windows {
		if w.Freeze != 0 && !at.Before(w.From) && at.Before(w.Until) {
			frozen = w.Freeze
		}
	}
	from, proposed := d.From.Replicas, d.Proposed.Replicas
	if frozen&schedule.FreezeDown != 0 && proposed < min(from, p.Limit.Max) || frozen&schedule.FreezeUp != 0 && proposed > max(from, p.Limit.Min) {
		t.Fatalf("freeze %d is passed: from %d to %d, the stated bounds are %d to %d", frozen, from, proposed, p.Limit.Min, p.Limit.Max)
	}
}

// TestNoFallbackLowersUnasked: blind for hours, without a schedule or a pause, the
// count never falls where neither Static nor CurrentIfLower was asked for.
func TestNoFallbackLowersUnasked(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		p := policies().Draw(t, "policy")
		timed(t, &p)
		p.Schedule, p.Limit.Pauses = nil, nil
		at, memory := noon, engine.Memory{}
		for range 6 {
			obs := observations(p, at).Draw(t, "seen")
			obs.Requested = nil
			for i := range obs.Samples {
				obs.Samples[i] = scale.Sample{Problem: "no answer"}
			}
			for i := range obs.Pods {
				obs.Pods[i].Containers = nil
			}
			var d scale.Decision
			d, memory = engine.Decide(p, obs, memory)
			if d.Want.Replicas < min(d.From.Replicas, p.Limit.Max) {
				t.Fatalf("from %d to %d", d.From.Replicas, d.Want.Replicas)
			}
			at = at.Add(time.Minute)
		}
	})
}
