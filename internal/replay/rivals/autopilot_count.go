package rivals

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Settings of Autopilot's horizontal scaling, by its paper: the default horizon,
// and what most of its jobs have chosen. The target is the owner's of a job.
const (
	countHorizon = 72 * time.Hour
	countDefer   = 48 * time.Hour
	// Each five minutes 1 − 2^(−5/60) of what is too many goes: half in an hour.
	countDecay, countDecayOf = 561, 10_000
	// countIgnored is the change, in percent, that is too small. The paper does
	// not say which is.
	countIgnored = 10
	countTarget  = 70
)

// autopilotCount is Autopilot choosing the number of tasks: enough for the largest
// five minutes of three days at the target utilization. It takes tasks away only
// once it has not wanted them for two days, and then slowly.
type autopilotCount struct {
	each scale.Amount
	step time.Time
	// totals are the work of five minutes each, wants the tasks for it.
	totals []scale.Amount
	wants  []int64
	chosen int64
}

// HorizontalAutopilot returns Autopilot's horizontal scaling.
func HorizontalAutopilot(s *sim.Settings) sim.Controller {
	s.Recall, s.Replicas = max(s.Recall, autopilotStep+s.Sync), max(s.Replicas, 1)
	return controller{&autopilotCount{each: max(podCPU(s).Share(countTarget, 100), 1)}}
}

func (a *autopilotCount) decide(v View) scale.Decision {
	now := v.Now()
	if a.step.IsZero() {
		a.step, a.chosen = now, int64(v.Size().Replicas)
	}
	for next := a.step.Add(autopilotStep); !next.After(now); next = next.Add(autopilotStep) {
		a.choose(v.UsageOver(a.step, next).Arrived)
		a.step = next
	}
	return counted(v, pods(a.chosen))
}

// choose takes the work of five more minutes.
func (a *autopilotCount) choose(total scale.Amount) {
	a.totals = recent(append(a.totals, total), countHorizon)
	a.wants = recent(append(a.wants, ceilDiv(slices.Max(a.totals), a.each)), countDefer)
	want := slices.Max(a.wants)
	switch over := a.chosen - want; {
	case over > 0:
		want = a.chosen - (over*countDecay+countDecayOf-1)/countDecayOf
	case -over*100 <= a.chosen*countIgnored:
		return
	}
	a.chosen = want
}

// recent are the values of the last time, one each five minutes.
func recent[T any](values []T, within time.Duration) []T {
	if n := int(within / autopilotStep); len(values) > n {
		return append(values[:0], values[len(values)-n:]...)
	}
	return values
}
