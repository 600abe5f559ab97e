package controller

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/shortfall"
	"github.com/tidemark/tidemark/scale"
)

// look is what is judged at the end of a round. Until then the report has what
// was found in the last one.
func (r *report) look(out apply.Outcome) shortfall.Look {
	l := shortfall.Look{Decision: *r.decision, Obs: r.obs, Sizes: out.Sizes, Resized: out.TouchesPods(), Before: r.short}
	for _, w := range out.Waiting {
		l.Waits = append(l.Waits, shortfall.Wait{Reason: w.Reason, Who: w.Who, Pods: w.Pods, Why: w.Why})
	}
	return l
}

// fallsShort notes what of the decision is neither in force nor under way, and
// makes an event of what the status does not show. A lost memory is told first,
// and so is a mode that changes nothing.
func (r *report) fallsShort() {
	able := meta.FindStatusCondition(r.status.Conditions, explain.AbleToScale)
	if len(r.short.Gaps) == 0 || r.lost != "" || able.Status != "True" {
		return
	}
	told, reason := r.toldGaps()
	gaps := dated(r.short.Gaps, told, r.at)
	for _, g := range gaps {
		known := strings.Contains(told, g.Why) || record.IsShort(told)
		if !known && (g.Reason == scale.Waiting || g.Reason != reason) {
			r.events = append(r.events, explain.Event{Warning: g.Reason != scale.Waiting, Reason: string(g.Reason), Message: explain.GapText(g)})
		}
	}
	r.conditions(explain.Incomplete(*r.decision, gaps))
}

// toldGaps is what the status says of gaps, and the reason it gives.
func (r *report) toldGaps() (string, scale.Reason) {
	before := meta.FindStatusCondition(r.obj.Status.Conditions, explain.AbleToScale)
	if before == nil || !slices.Contains(scale.GapReasons, scale.Reason(before.Reason)) {
		return "", ""
	}
	return before.Message, scale.Reason(before.Reason)
}
