package engine

import (
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
)

// still is why nothing at all may change: the mode, or a pause. It is empty where
// something may.
func (in input) still() scale.Reason {
	if reason := limit.UnderMode(&in.policy.Limit); reason != "" {
		return reason
	}
	if p := in.policy.Limit.PausedAt(in.obs.At); p != nil && p.Whole() && p.Replicas == nil {
		return scale.Paused
	}
	return ""
}

// stop is the last word: what is wanted is kept back by the mode, or by a pause.
func (in input) stop(d *scale.Decision) {
	d.Pause = in.policy.Limit.PausedAt(in.obs.At)
	if reason := limit.UnderMode(&in.policy.Limit); reason != "" {
		if !d.Want.Equal(d.From) || in.retunes(d.Tuning) {
			want(d, reason, d.From)
		}
		return
	}
	if d.Pause == nil {
		return
	}
	kept := in.pausedAt(d)
	if !kept.Equal(d.Want) || d.Pause.Whole() && in.retunes(d.Tuning) {
		want(d, scale.Paused, kept)
		last := &d.Steps[len(d.Steps)-1]
		last.When, last.Limit = &scale.When{Pause: d.Pause}, kept.Replicas
	}
	if !d.Pause.Until.IsZero() {
		d.RecheckAfter = min(d.RecheckAfter, d.Pause.Until.Sub(in.obs.At))
	}
}

// pausedAt is the size that a pause leaves. The administrator's maximum holds also
// for a count that someone pauses at.
func (in input) pausedAt(d *scale.Decision) scale.Size {
	p := d.Pause
	if p.Replicas != nil {
		count := *p.Replicas
		if most := in.policy.Learn.AdminMax; most > 0 {
			count = min(count, most)
		}
		return d.From.WithReplicas(count)
	}
	side := in.sideTo(d.Want)
	if side == scale.Down && p.In || side == scale.Up && p.Out {
		return d.From
	}
	return d.Want
}

// sideTo is the direction of a change: that of the count, and where it stays that
// of the requests.
func (in input) sideTo(to scale.Size) scale.Direction {
	if side := scale.DirectionOf(in.from.Replicas, to.Replicas); side != scale.None || to.Equal(*in.from) {
		return side
	}
	return sideOf(in.deltasTo(to))
}
