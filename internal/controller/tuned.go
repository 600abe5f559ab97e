package controller

import (
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/scale"
)

// noteTuned makes an event of a setting that self-tuning chose in this round.
func (r *report) noteTuned(past engine.Memory) {
	before, now := past.Learned.Tuned, r.memory.Learned.Tuned
	if now == nil || before != nil && now.At.Equal(before.At) {
		return
	}
	was := scale.Setting{}
	if before != nil {
		was = before.Setting
	}
	if now.Setting != was {
		r.events = append(r.events, explain.Event{Reason: string(scale.SelfTuned), Message: explain.TunedEvent(now)})
	}
}
