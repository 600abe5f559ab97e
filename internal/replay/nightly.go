package replay

import (
	"time"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/course"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/selftune"
	"github.com/tidemark/tidemark/scale"
)

// nightly tunes a replayed workload as a controller does: it keeps the course of
// what it sees, and compares settings each night.
type nightly struct {
	*learner.Learner
	policy engine.Policy
	course *course.Course
	facts  selftune.Facts
	seen   time.Time
	next   time.Time
	found  *scale.Tuned
}

func newNightly(l *learner.Learner, p engine.Policy) *nightly {
	return &nightly{Learner: l, policy: p, course: course.New()}
}

// Learn learns from a look, and adds what self-tuning found last.
func (n *nightly) Learn(obs *scale.Observation, under []scale.LearnedTarget) {
	n.Learner.Learn(obs, under)
	n.facts.Look(obs, n.Learner)
	if s, isNew := selftune.Sample(n.Learner, n.seen); isNew {
		n.seen = s.At
		n.course.Observe(s)
	}
	switch {
	case n.next.IsZero():
		n.next = selftune.Next(obs.At, selftune.UsualAt)
	case !obs.At.Before(n.next):
		n.tune(obs.At)
		n.next = selftune.Next(obs.At, selftune.UsualAt)
	}
	if n.found == nil {
		return
	}
	if obs.Learned == nil {
		obs.Learned = &scale.Learned{}
	}
	obs.Learned.Tuned = n.found
}

// tune compares settings. A past that cannot be replayed changes nothing.
func (n *nightly) tune(at time.Time) {
	record, known := n.course.Record(at)
	if !known {
		return
	}
	now := scale.Setting{}
	if n.found != nil {
		now = n.found.Setting
	}
	found, err := SelfTune(selftune.Trial{Policy: n.policy, Plan: n.Plan, Facts: n.facts, Record: record, Now: now, At: at})
	if err == nil {
		n.found = found
	}
}
