package engine

import "github.com/tidemark/tidemark/scale"

// Decide makes one decision. It looks at nothing but its arguments and changes
// none of them.
func Decide(p Policy, obs scale.Observation, past Memory) (scale.Decision, Memory) {
	var w Workspace
	return w.Decide(p, obs, past)
}

// Workspace is where the steps of decisions are written. A replay makes one
// decision after the other in the same workspace: one for each of them would be
// most of its garbage. A decision is valid until the next one in its workspace.
type Workspace struct {
	steps []scale.Step
	facts []scale.MetricFacts
}

// Decide makes one decision, as the function does. Each stage makes a value of
// the values before it, and changes none of them. Their order is the
// specification.
func (w *Workspace) Decide(p Policy, obs scale.Observation, past Memory) (decision scale.Decision, next Memory) {
	from := recall(&p, &obs, &past) // what is known, as it counts at this moment
	in := input{&p, &obs, &past, &from}
	w.fit(len(p.Horizontal.Metrics))

	learned := in.learn(w.steps[:0])                         // what schedules state and history knows of this hour: bounds and targets
	desired := in.horizontal(&learned, w.facts)              // each metric's count; the largest wins
	plan := in.combine(&learned, &desired)                   // replicas alone, or replicas and requests together
	watched := in.watch(&learned, &desired, &plan)           // for how long it has been so: an emergency, a delay
	decision = in.limit(&learned, &desired, &plan, &watched) // how far and how soon the workload may move there
	next = in.remember(&desired, &plan, &watched, &decision) // what the next decision has to know

	w.steps = decision.Steps
	return decision, next
}

// fit makes room for so many metrics, and for one limit: a decision that changes nothing
// has no more steps, and most are of that kind. Most policies have one metric, for which
// one piece of memory is less work than two.
func (w *Workspace) fit(metrics int) {
	switch {
	case len(w.facts) == metrics && w.steps != nil:
	case metrics == 1:
		room := new(struct {
			facts [1]scale.MetricFacts
			steps [2]scale.Step
		})
		w.facts, w.steps = room.facts[:], room.steps[:0]
	default:
		w.facts, w.steps = make([]scale.MetricFacts, metrics), make([]scale.Step, 0, metrics+1)
	}
}
