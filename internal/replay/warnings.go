package replay

import (
	"fmt"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
)

// Warnings are what to know before a policy's score is believed.
func (r *Replay) Warnings(p Policy) []string {
	if p.spec == nil {
		return nil
	}
	out := r.unfed(p)
	short := func(what string, needs time.Duration) {
		if has := r.plant.Demand.Length() - r.plant.WarmUp; has < needs {
			out = append(out, fmt.Sprintf("the demand lasts %s, which is shorter than %s (%s)", has, what, needs))
		}
	}
	for _, d := range []struct {
		name  string
		rules *limit.Direction
	}{{"scale-up", &p.compiled.Limit.Up}, {"scale-down", &p.compiled.Limit.Down}} {
		short("the "+d.name+" stabilization window", d.rules.Window)
		short("the "+d.name+" forbidden window", d.rules.Forbidden)
		short("the "+d.name+" delay", d.rules.Delay)
		for _, period := range d.rules.Policies {
			short("a period of the "+d.name+" policies", period.Period)
		}
	}
	plan, _ := learner.PlanOf(*p.spec, p.compiled)
	switch {
	case plan.Bounds && plan.Settings.Period == history.Daily:
		short("the period that bounds are learned from", 24*time.Hour)
	case plan.Bounds:
		short("the period that bounds are learned from", 7*24*time.Hour)
	}
	if plan.Headroom && !plan.Priced {
		reaction := r.plant.MetricDelay + r.plant.Sync + r.plant.StartUp
		if has, needs := int64(r.plant.Demand.Length()/reaction), history.ReactionsNeeded(plan.Risk); has < needs {
			out = append(out,
				fmt.Sprintf("headroom of that risk is known after %d reactions, of %s each, and the demand lasts for %d: until then the target counts",
					needs, reaction, has))
		}
	}
	switch mode := p.spec.Mode; {
	case mode == v1alpha1.ModeOff || mode == v1alpha1.ModeRecommend:
		out = append(out, fmt.Sprintf("the mode is %s, so nothing is changed here either", mode))
	case p.spec.Pause != nil:
		out = append(out, "spec.pause is followed here as well: remove it to see what the policy would do")
	case p.compiled.TunesHPA:
		out = append(out, "the actuator is HPA, which a replay does not have, so the count is not changed")
	}
	return out
}

// unfed are the metrics that a demand says nothing, or something else, about.
func (r *Replay) unfed(p Policy) []string {
	var out []string
	for i := range horizontal.Measured(p.compiled.Horizontal.Metrics) {
		switch m := &p.compiled.Horizontal.Metrics[i]; {
		case isMemory(m) && !r.plant.Memory.Simulated():
			out = append(out, fmt.Sprintf("metrics[%d] is left out: a demand says nothing about memory", i))
		case m.Kind > horizontal.ContainerResource:
			out = append(out, fmt.Sprintf("metrics[%d] (%s) is fed with the work per second: a demand says nothing else", i, m.Name))
		}
	}
	return out
}
