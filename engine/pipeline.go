package engine

import "github.com/tidemark/tidemark/scale"

// Decide makes one decision. It looks at nothing but its arguments and changes
// none of them.
func Decide(p Policy, obs scale.Observation, past Memory) (scale.Decision, Memory) {
	var room Room
	return room.Decide(p, obs, past)
}

// Room is where the steps of decisions are written. A replay makes one decision
// after the other in the same room: to make room for each of them would be most
// of its garbage. A decision is valid until the next one in its room.
type Room struct {
	steps []scale.Step
	facts []scale.MetricFacts
}

// Decide makes one decision, as the function does. Each stage makes a value of
// the values before it, and changes none of them. Their order is the
// specification.
func (r *Room) Decide(p Policy, obs scale.Observation, past Memory) (decision scale.Decision, next Memory) {
	from := recall(&p, &obs, &past) // what is known, as it counts at this moment
	in := input{&p, &obs, &past, &from}
	r.fit(len(p.Horizontal.Metrics))

	learned := in.learn(r.steps[:0])                         // what history knows of this hour: bounds and targets
	desired := in.horizontal(&learned, r.facts)              // each metric's count; the largest wins
	plan := in.combine(&learned, &desired)                   // replicas alone, or replicas and requests together
	watched := in.watch(&learned, &plan)                     // for how long it has been so: an emergency, a delay
	decision = in.limit(&learned, &desired, &plan, &watched) // how far and how soon the workload may move there
	next = in.remember(&desired, &plan, &watched, &decision) // what the next decision has to know

	r.steps = decision.Steps
	return decision, next
}

// fit makes room for so many metrics, and for what others have to say.
func (r *Room) fit(metrics int) {
	if len(r.facts) != metrics || r.steps == nil {
		r.facts, r.steps = make([]scale.MetricFacts, metrics), make([]scale.Step, 0, metrics+3)
	}
}
