package replay

import (
	"fmt"
	"slices"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/history"
	"github.com/tidemark/tidemark/policy"
)

// Warnings are what to know before a policy's score is believed.
func (r *Replay) Warnings(p Policy) []string {
	out := slices.Clone(p.notes)
	if p.spec == nil {
		return out
	}
	short := func(what string, needs time.Duration) {
		if has := r.demand.Length(); has < needs {
			out = append(out, fmt.Sprintf("the demand lasts %s, which is shorter than %s (%s)", has, what, needs))
		}
	}
	short("the scale-up stabilization window", p.compiled.Limit.Up.Window)
	short("the scale-down stabilization window", p.compiled.Limit.Down.Window)
	if p.spec.Learn != nil {
		l := policy.LearningOf(*p.spec)
		if l.Daily {
			short("the period that bounds are learned from", 24*time.Hour)
		} else {
			short("the period that bounds are learned from", 7*24*time.Hour)
		}
		if p.spec.Learn.Headroom != nil {
			reaction := r.plant.MetricDelay + r.plant.Sync + r.plant.StartUp
			if has, needs := int64(r.demand.Length()/reaction), history.ReactionsNeeded(l.Risk); has < needs {
				out = append(out, fmt.Sprintf("headroom of that risk is known after %d reactions, of %s each, and the demand lasts for %d: until then the target counts", needs, reaction, has))
			}
		}
	}
	switch mode := p.spec.Mode; {
	case mode == v1alpha1.ModeOff || mode == v1alpha1.ModeRecommend:
		out = append(out, fmt.Sprintf("the mode is %s, so nothing is changed here either", mode))
	case p.compiled.TunesHPA:
		out = append(out, "the actuator is HPA, which a replay does not have, so nothing is changed")
	}
	return out
}
