package sim

import (
	"time"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/scale"
)

// Controller decides how large the workload should be now. A decision is valid
// until the next one.
type Controller interface {
	Decide(p *Plant) scale.Decision
}

// Static keeps a count, whatever happens.
type Static int32

// Decide returns the count.
func (s Static) Decide(p *Plant) scale.Decision { return resized(p, int32(s)) }

func resized(p *Plant, replicas int32) scale.Decision {
	from := p.Size()
	return scale.Decision{From: from, Want: from.WithReplicas(replicas)}
}

// Oracle knows the future, but its pods take as long to start as anyone's. It
// is what no controller can beat without dropping work.
type Oracle struct{}

// Decide returns as many pods as the largest demand needs until the pods of the
// next decision could be ready.
func (Oracle) Decide(p *Plant) scale.Decision {
	return resized(p, p.settings.Needed(p.demand.peak(p.now.Add(p.settings.foresight()))))
}

// foresight is how long it takes until the pods of the next decision could be
// ready.
func (s *Settings) foresight() time.Duration { return s.StartUp + s.Jitter + s.Sync }

// Foreseen is how many pods an oracle begins with.
func (s *Settings) Foreseen() int32 {
	start := s.Demand.Start()
	return s.Needed(s.Demand.Peak(start, start.Add(s.foresight())))
}

// Autoscaler decides with the engine, carrying its memory from one decision to
// the next as an object's status does.
type Autoscaler struct {
	workspace engine.Workspace
	policy    engine.Policy
	memory    engine.Memory
	learner   Learner
	// seen and before are what the last decision looked at: the observation, and the
	// memory as it was then.
	seen   scale.Observation
	before engine.Memory
}

// Look is what a decision looked at.
type Look struct {
	Policy      engine.Policy
	Observation scale.Observation
	Memory      engine.Memory
}

// Looked is what the last decision looked at. It is valid until the next one.
func (a *Autoscaler) Looked() Look { return Look{a.policy, a.seen, a.before} }

// Learner adds what history knows to what is seen, and learns from it: the one
// that the controller has as well.
type Learner interface {
	// Under are the target utilizations that it is seen under.
	Learn(obs *scale.Observation, under []scale.LearnedTarget)
}

// NewAutoscaler returns an autoscaler that has decided nothing yet. Without a
// learner it keeps no history.
func NewAutoscaler(p engine.Policy, l Learner) *Autoscaler {
	return &Autoscaler{policy: p, learner: l}
}

// Remember lets the next decision be made with a memory.
func (a *Autoscaler) Remember(m engine.Memory) { a.memory = m }

// Decide observes the plant and makes one decision.
func (a *Autoscaler) Decide(p *Plant) scale.Decision {
	return a.DecideOn(p.Observe(a.policy.Horizontal.Metrics))
}

// DecideOn makes one decision about what someone saw.
func (a *Autoscaler) DecideOn(obs scale.Observation) scale.Decision {
	a.seen, a.before = obs, a.memory
	if a.learner != nil {
		// The learner gets one that is kept for it, instead of a new one each time.
		a.learner.Learn(&a.seen, engine.TargetsInForce(a.policy, obs, a.memory))
	}
	var d scale.Decision
	d, a.memory = a.workspace.Decide(a.policy, a.seen, a.memory)
	return d
}
