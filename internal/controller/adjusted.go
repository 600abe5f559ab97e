package controller

import (
	"strings"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/controller/metrics"
	"github.com/tidemark/tidemark/scale"
)

// adjusted returns the events of what was changed beside the size: an HPA was
// tuned, or pods were brought to the size that the others have. A change of the
// size has an event of its own.
func (r *report) adjusted() []explain.Event {
	if r.outcome != metrics.Applied {
		return nil
	}
	var out []explain.Event
	add := func(reason scale.Reason, changes []string) {
		if len(changes) > 0 {
			out = append(out, explain.Event{Reason: string(reason), Message: "set " + strings.Join(changes, ", ")})
		}
	}
	if r.decision.Tuning != nil {
		add(scale.LeftToHPA, r.counted)
	} else if r.unmoved() {
		add(scale.RightSized, r.counted)
	}
	if r.unmoved() {
		add(scale.RightSized, r.sized)
	}
	return out
}

func (r *report) unmoved() bool { return r.decision.Want.Equal(r.decision.From) }
