package twin

import (
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/apply/hpa"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// metrics-server reads usage once a window, at moments that have nothing to do
// with those of the course. A fake kubelet counts what is used at a reading for
// the whole window before it, so that the first reading of a phase shows all of
// it, half a window after its beginning on average. Lead puts the readings of a
// run in virtual time, which show the mean over the window, onto the beginnings
// of phases: the first one that shows all of it is then as soon as it can be.
// Served is how long it takes until a reading can be had.
const (
	lead   = Window
	served = 2 * time.Second
)

// Simulate runs a scenario in virtual time that begins at a moment.
func Simulate(s *Scenario, start time.Time) ([]Look, error) {
	return simulate(s, start, chance{lead: lead, permille: 1000})
}

// chance is what nobody chooses in a cluster. A run begins lead before the
// scenario, and readings of usage and looks are at even steps from there. Usage is
// measured as so many thousandths of what it is.
type chance struct {
	lead     time.Duration
	permille int64
}

func simulate(s *Scenario, start time.Time, by chance) ([]Look, error) {
	spec := s.beginning(start)
	pol, err := policy.Compile(spec, Admin())
	if err != nil {
		return nil, err
	}
	demand, err := s.demand(start, by)
	if err != nil {
		return nil, err
	}
	c := &simulated{scenario: s, spec: spec, policy: pol, mode: s.Policy.Mode, start: start}
	if plan, learns := learner.PlanOf(spec, pol); learns {
		if c.learner, err = learner.New(plan); err != nil {
			return nil, err
		}
	}
	if s.HPA != nil {
		c.theirs = &theirs{scenario: s, object: s.hpaObject("")}
	}
	settings := s.plant()
	settings.Demand, settings.Events = demand, s.events(start)
	sim.Run(settings, c, nil)
	return c.looks, c.failed
}

// simulated is the controller of a run. It sees the plant, and what the course
// says beside it.
type simulated struct {
	scenario *Scenario
	spec     v1alpha1.WorkloadAutoscalerSpec
	policy   engine.Policy
	mode     v1alpha1.Mode
	memory   engine.Memory
	learner  *learner.Learner
	start    time.Time
	looks    []Look
	// theirs is the HPA beside the policy, if there is one.
	theirs *theirs
	// failed is why the run cannot be believed.
	failed error
}

var _ sim.Controller = (*simulated)(nil)

// Decide looks once.
func (c *simulated) Decide(p *sim.Plant) scale.Decision {
	c.policy = c.policyAt(p.Now())
	obs := p.Observe(c.policy.Horizontal.Metrics)
	c.show(&obs)
	if c.theirs != nil {
		obs.HPA = hpa.Seen(c.theirs.object, obs.Target.Containers)
	}
	if c.learner != nil {
		c.learner.Sync = Sync
		c.learner.Learn(&obs, engine.TargetsInForce(c.policy, obs, c.memory))
	}
	var d scale.Decision
	d, c.memory = engine.Decide(c.policy, obs, c.memory)
	c.looks = append(c.looks, lookAt(c.start, obs, d))
	if c.theirs != nil {
		d.Want.Replicas = c.leave(obs, d.Tuning)
	}
	return d
}

// leave leaves the count to the HPA.
func (c *simulated) leave(obs scale.Observation, t *scale.Tuning) int32 {
	if err := c.theirs.tune(t); err != nil {
		c.failed = err
	}
	n, err := c.theirs.replicas(obs, max(obs.At.Sub(c.start), 0))
	if err != nil {
		c.failed = err
		return obs.Target.SpecReplicas
	}
	return n
}

// policyAt is the policy in the mode of a moment.
func (c *simulated) policyAt(at time.Time) engine.Policy {
	spec := c.spec
	c.scenario.upTo(max(at.Sub(c.start), 0), func(p *Phase) {
		if p.Mode != "" {
			spec.Mode = p.Mode
		}
	})
	if spec.Mode == c.mode {
		return c.policy
	}
	c.mode = spec.Mode
	pol, err := policy.Compile(spec, Admin())
	if err != nil {
		c.failed = err
	}
	return pol
}

// show adds to an observation what does not come from the plant.
func (c *simulated) show(obs *scale.Observation) {
	at := max(obs.At.Sub(c.start), 0)
	for i := range c.scenario.Policy.Metrics {
		m := &c.scenario.Policy.Metrics[i]
		if name := metricName(m); name != "" {
			obs.Samples[i] = sample(m, c.scenario.metricAt(name, at), len(obs.Pods))
		}
	}
	obs.Requested = c.scenario.requestedAt(at)
	if r := c.scenario.recommendedAt(at); r != nil {
		obs.Recommended = []scale.Recommendation{{Container: "app", PerPod: r.amounts()}}
	}
}
