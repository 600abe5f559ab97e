package scaletest

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// Engine makes the decider of one workload, or says why its policy is refused.
// Tidemark is ours. Scripts check any other that is written as one.
type Engine func(spec v1alpha1.WorkloadAutoscalerSpec, admin v1alpha1.AdminSettings) (Decider, error)

// Decider decides for one workload, again and again. What it needs to know of
// the past it remembers itself.
type Decider interface {
	Decide(obs scale.Observation) scale.Decision
}

// Aimer is a Decider that learns targets. The scripts that let a container need
// more than its target ask which one that is.
type Aimer interface {
	TargetsInForce(obs scale.Observation) []scale.LearnedTarget
}

// Tidemark is the engine of this module.
func Tidemark(spec v1alpha1.WorkloadAutoscalerSpec, admin v1alpha1.AdminSettings) (Decider, error) {
	compiled, err := policy.Compile(spec, admin)
	if err != nil {
		return nil, err
	}
	return &tidemark{policy: compiled}, nil
}

type tidemark struct {
	policy engine.Policy
	memory engine.Memory
}

func (t *tidemark) Decide(obs scale.Observation) scale.Decision {
	var d scale.Decision
	d, t.memory = engine.Decide(t.policy, obs, t.memory)
	return d
}

func (t *tidemark) TargetsInForce(obs scale.Observation) []scale.LearnedTarget {
	return engine.TargetsInForce(t.policy, obs, t.memory)
}
