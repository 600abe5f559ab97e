package learned

import (
	"context"
	"math"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/learner/week"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// lately is when the last decision is made: no policy waits longer.
const lately = time.Hour

// back is how far one looks back: as far as anything is remembered.
const back = 4 * 7 * 24 * time.Hour

// looks is how many decisions are made before one looks whether anybody waits.
const looks = 64

// Of replays a policy until a moment and tells what it learned, unless the context ends
// first.
func Of(ctx context.Context, p replay.Policy, r *replay.Replay, until time.Time) (feed.Learned, error) {
	var spec v1alpha1.WorkloadAutoscalerSpec
	if own := p.Spec(); own != nil {
		spec = *own
	}
	slots, err := history.NewSlots(learner.SettingsOf(spec))
	if err != nil {
		return feed.Learned{}, err
	}
	part, err := r.Between(until.Add(-back), until)
	if err != nil {
		return feed.Learned{}, err
	}
	seen := watch{slots: slots, until: until}
	n := 0
	_, whole, err := part.Watched(p, func(m sim.Moment) bool {
		n++
		return seen.look(m) && (n%looks != 1 || ctx.Err() == nil)
	})
	if err != nil {
		return feed.Learned{}, err
	}
	if !whole {
		return feed.Learned{}, context.Cause(ctx)
	}
	start, _ := part.Span()
	out := Known(spec, slots, until)
	out.From, out.Risks = start.UnixMilli(), seen.risks()
	out.Targets, out.Steps = append(out.Targets, seen.targets...), append(out.Steps, seen.steps...)
	return out, nil
}

// Known is what slots know of an object, and nothing else.
func Known(spec v1alpha1.WorkloadAutoscalerSpec, slots *history.Slots, now time.Time) feed.Learned {
	out := feed.Learned{
		Now: now.UnixMilli(), From: now.UnixMilli(), Uses: usesOf(spec), Targets: []feed.TargetLine{}, Risks: []feed.Risk{}, Steps: []string{},
	}
	Week(&out, spec, slots, now)
	return out
}

// usesOf are the ways in which a policy uses what is learned.
func usesOf(spec v1alpha1.WorkloadAutoscalerSpec) []feed.Use {
	var plan learner.Plan
	// What has been replayed compiles. What has no spec learns nothing.
	if compiled, err := policy.Compile(spec, v1alpha1.AdminSettings{}); err == nil {
		plan, _ = learner.PlanOf(spec, compiled)
	}
	return []feed.Use{
		{What: "bounds of the count by the hour", Field: "spec.learn", On: plan.Bounds},
		{What: "targets by how busy the pods are", Field: "spec.learn.targets", On: plan.Targets},
		{What: "room for what may come", Field: "spec.learn.headroom", On: plan.Headroom},
		{What: "sizes of containers by their usage", Field: "spec.containers", On: plan.Recommend && len(spec.Containers) > 0},
	}
}

// Week sets the slots and how far they have come.
func Week(out *feed.Learned, spec v1alpha1.WorkloadAutoscalerSpec, slots *history.Slots, until time.Time) {
	w := week.Of(spec, slots, until)
	out.Zone, out.Days, out.Hours = policy.LearningOf(spec).Zone.String(), w.Days, w.Hours
	out.Phase, out.Known, out.Count = w.Progress.Phase.String(), w.Progress.Known, w.Progress.Slots
	out.First, out.Last = millis(w.Progress.First), millis(w.Progress.Last)
	out.Slots = nil
	length := time.Duration(slots.Settings().SlotHours) * time.Hour
	for _, row := range w.Cells {
		var cells []feed.Slot
		for _, c := range row {
			begin := c.At.Add(-30 * time.Minute)
			slot := feed.Slot{Known: c.Known, Value: c.Value, Min: c.Least, Max: c.Most, At: begin.UnixMilli()}
			if !c.Known {
				slot.By = begin.Add(length).UnixMilli() // Then one of its occurrences is over.
			}
			cells = append(cells, slot)
		}
		out.Slots = append(out.Slots, cells)
	}
}

func millis(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

// watch looks at each decision of a replay.
type watch struct {
	slots   *history.Slots
	until   time.Time
	targets []feed.TargetLine
	steps   []string
	// said waits for its time to come, the first of it at first.
	said []claim
	days []feed.Risk
}

// claim is what was said of demand at a moment: that it is more than a value in a share
// of cases.
type claim struct {
	made, due time.Time
	most      scale.Amount
	risk      int64
}

// look sees a decision. Claims whose time has come are compared with the demand then.
func (w *watch) look(m sim.Moment) bool {
	w.slots.Observe(m.At, m.Ready)
	rest := w.said[:0]
	for _, c := range w.said {
		if c.due.After(m.At) {
			rest = append(rest, c)
			continue
		}
		w.judge(c, m.Demand)
	}
	w.said = rest
	d := &m.Decision
	w.steps = w.steps[:0]
	for i := range d.Steps {
		s := &d.Steps[i]
		if m.At.After(w.until.Add(-lately)) && ofHistory(s) {
			w.steps = append(w.steps, string(s.Reason)+": "+explain.Message(*s))
		}
		if f := s.Metric; f != nil && f.Headroom != nil && f.Known && f.Headroom.Resource == scale.CPU && !f.Headroom.Full {
			h := f.Headroom
			soon := f.Value
			if h.Expected > 0 {
				soon = h.Expected
			}
			w.said = append(w.said, claim{m.At, m.At.Add(h.Within), soon.Add(h.Headroom), h.Risk})
		}
	}
	for _, r := range feed.MomentOf(feed.Seen{At: m.At}, d).Metrics {
		w.target(m.At, r)
	}
	return true
}

// ofHistory tells whether a step comes from what was learned.
func ofHistory(s *scale.Step) bool {
	return s.Stage == scale.StageLearn || s.Reason == scale.Unrecommended || s.Reason == scale.LearnedMin || s.Reason == scale.LearnedMax ||
		s.Metric != nil && s.Metric.Headroom != nil
}

// judge compares a claim with the demand when its time has come.
func (w *watch) judge(c claim, demand scale.Amount) {
	day := c.made.UTC().Truncate(24 * time.Hour).UnixMilli()
	if n := len(w.days); n == 0 || w.days[n-1].Day != day {
		w.days = append(w.days, feed.Risk{Day: day})
	}
	d := &w.days[len(w.days)-1]
	d.Cases++
	d.Stated += 100 * float64(c.risk) / float64(scale.Parts)
	d.Within += c.due.Sub(c.made).Seconds()
	if demand > c.most {
		d.Beyond++
	}
}

// risks are the days, with means in the place of sums.
func (w *watch) risks() []feed.Risk {
	out := []feed.Risk{}
	for _, d := range w.days {
		d.Stated, d.Within = d.Stated/float64(d.Cases), d.Within/float64(d.Cases)
		out = append(out, d)
	}
	return out
}

// target notes the band of a metric where it is another than before.
func (w *watch) target(at time.Time, r feed.Reading) {
	if r.High != r.High { // It has none.
		return
	}
	var line *feed.TargetLine
	for i := range w.targets {
		if w.targets[i].Name == r.Name {
			line = &w.targets[i]
		}
	}
	if line == nil {
		w.targets = append(w.targets, feed.TargetLine{Name: r.Name, Unit: r.Unit})
		line = &w.targets[len(w.targets)-1]
	}
	low, high := short(r.Low), short(r.High)
	if n := len(line.At); n > 0 && line.Low[n-1] == low && line.High[n-1] == high {
		return
	}
	line.At, line.Low, line.High = append(line.At, at.UnixMilli()), append(line.Low, low), append(line.High, high)
}

// short is a number with as many digits as can be seen.
func short(v float32) float64 { return math.Round(float64(v)*1000) / 1000 }
