package twin

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/apply/hpa"
	"github.com/tidemark/tidemark/apply/plan"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/learning"
	"github.com/tidemark/tidemark/observe/quantity"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
	"github.com/tidemark/tidemark/sim"
	"github.com/tidemark/tidemark/trace"
)

// metrics-server reads usage once a window, at moments that have nothing to do
// with those of the course. Lead puts the readings of a run in virtual time into
// the middle between two phases, where they are on average, and served is how
// long it takes until a reading can be had.
const (
	lead   = Window / 2
	served = 2 * time.Second
)

// rampStep is how often a ramp moves.
const rampStep = Window / 2

// Simulate runs a scenario in virtual time that begins at a moment.
func Simulate(s *Scenario, start time.Time) ([]Look, error) { return simulate(s, start, lead) }

// simulate begins so long before the scenario. Readings of usage and looks are at
// even steps from there.
func simulate(s *Scenario, start time.Time, lead time.Duration) ([]Look, error) {
	spec := s.beginning(start)
	pol, err := policy.Compile(spec, Admin())
	if err != nil {
		return nil, err
	}
	demand, err := s.demand(start, lead)
	if err != nil {
		return nil, err
	}
	c := &simulated{scenario: s, spec: spec, policy: pol, mode: s.Policy.Mode, start: start}
	if plan, learns := learning.PlanOf(spec, pol); learns {
		if c.learner, err = learning.New(plan); err != nil {
			return nil, err
		}
	}
	if s.HPA != nil {
		c.theirs = &theirs{scenario: s, object: s.hpaObject("")}
	}
	w := &s.Workload
	sim.Run(sim.Settings{
		Demand: demand, Container: "app", Requests: w.Requests.amounts(), Limits: w.Limits.amounts(), Replicas: w.Replicas,
		StartUp: time.Duration(w.StartSeconds) * time.Second, MetricDelay: served, Window: Window, Resolution: Window, Sync: Sync,
		Memory: &sim.MemoryUse{Base: fakeMemory}, Events: s.events(start), Age: w.age(), Overload: w.Overload, Resize: s.resizing(), Nodes: w.nodes(),
	}, c, nil)
	return c.looks, c.failed
}

// all is the share of everything, in billionths.
const all = 1_000_000_000

// resizing is what becomes of resizes.
func (s *Scenario) resizing() sim.Resizing {
	w := &s.Workload
	r := sim.Resizing{Delay: time.Duration(w.ResizeSeconds) * time.Second}
	if v := s.Policy.Vertical; v != nil {
		r.Update = plan.Update(v.Update)
	}
	switch w.Resize {
	case "deferred":
		r.Deferred, r.DeferredFor = all, s.Length()
	case "infeasible":
		r.Infeasible = all
	}
	return r
}

// nodes is the workload's own node, if it has one.
func (w *Workload) nodes() sim.Nodes {
	if w.Node == nil {
		return sim.Nodes{}
	}
	room := w.Node.amounts()
	cpu, _ := room.Get(scale.CPU)
	memory, _ := room.Get(scale.Memory)
	return sim.Nodes{Count: 1, CPU: cpu, Memory: memory}
}

// The pods of a live run have been running for a while when it begins, or are
// made to look older.
const (
	young = 4*Window + Sync
	aged  = time.Hour
)

func (w *Workload) age() time.Duration {
	if w.Aged {
		return aged
	}
	return young
}

// events are what happens to the pods.
func (s *Scenario) events(start time.Time) (all []sim.Event) {
	for i := range s.Course {
		p := &s.Course[i]
		e := sim.Event{At: start, Rollout: p.Rollout}
		if p.Crash != nil {
			e.Crash = &sim.CrashLoop{Pods: p.Crash.Pods}
			if p.Crash.CPU != nil {
				e.Crash.CPU = amount(*p.Crash.CPU)
			}
		}
		if e.Rollout || e.Crash != nil {
			all = append(all, e)
		}
		start = start.Add(p.length())
	}
	return all
}

// fakeMemory is what a fake container uses that nobody has told what to use.
const fakeMemory = 1 << 20 * scale.Thousand

func (r Resources) amounts() scale.Resources {
	var out scale.Resources
	for res, q := range map[scale.Resource]*resource.Quantity{scale.CPU: r.CPU, scale.Memory: r.Memory} {
		if q != nil {
			out = out.With(res, amount(*q))
		}
	}
	return out
}

// amount is a quantity of a scenario, which is small.
func amount(q resource.Quantity) scale.Amount {
	a, _ := quantity.Amount(q)
	return a
}

// demand is the course of the cpu that is asked for.
func (s *Scenario) demand(start time.Time, lead time.Duration) (sim.Demand, error) {
	t := trace.Trace{Step: rampStep, Points: []trace.Point{{At: start.Add(-lead), Value: s.cpuAt(0)}}}
	for at := time.Duration(0); at < s.Length(); at += rampStep {
		t.Points = append(t.Points, trace.Point{At: start.Add(at), Value: s.cpuAt(at)})
	}
	return sim.NewDemand(t)
}

// cpuAt is what all pods have to do together at a moment of the course. A ramp
// moves in steps and reaches its end a window before the phase's.
func (s *Scenario) cpuAt(at time.Duration) scale.Amount {
	now, begin := scale.Amount(0), time.Duration(0)
	for i := range s.Course {
		p := &s.Course[i]
		if begin > at {
			break
		}
		if p.CPU != nil {
			to, long := amount(*p.CPU), p.length()/2
			if passed := (at - begin) / rampStep * rampStep; p.Ramp && passed < long {
				to = now + (to-now)*scale.Amount(passed)/scale.Amount(long)
			}
			now = to
		}
		begin += p.length()
	}
	return now
}

// simulated is the controller of a run. It sees the plant, and what the course
// says beside it.
type simulated struct {
	scenario *Scenario
	spec     v1alpha1.WorkloadAutoscalerSpec
	policy   engine.Policy
	mode     v1alpha1.Mode
	memory   engine.Memory
	learner  *learning.Learner
	start    time.Time
	looks    []Look
	// theirs is the HPA beside the policy, if there is one; failed is why it
	// could not scale.
	theirs *theirs
	failed error
}

var _ sim.Controller = (*simulated)(nil)

// Decide looks once.
func (c *simulated) Decide(p *sim.Plant) scale.Decision {
	c.policy = c.policyAt(p.Now())
	seen := p.Observe(c.policy.Horizontal.Metrics)
	c.show(&seen)
	if c.theirs != nil {
		seen.HPA = hpa.Seen(c.theirs.object, seen.Target.Containers)
	}
	if c.learner != nil {
		c.learner.Sync = Sync
		c.learner.Learn(&seen, engine.TargetsInForce(c.policy, seen, c.memory))
	}
	var d scale.Decision
	d, c.memory = engine.Decide(c.policy, seen, c.memory)
	c.looks = append(c.looks, lookAt(c.start, seen, d))
	if c.theirs != nil {
		d.Want.Replicas = c.leave(seen, d.Tuning)
	}
	return d
}

// leave leaves the count to the HPA.
func (c *simulated) leave(seen scale.Observation, t *scale.Tuning) int32 {
	if err := c.theirs.tune(t); err != nil {
		c.failed = err
	}
	n, err := c.theirs.replicas(seen, max(seen.At.Sub(c.start), 0))
	if err != nil {
		c.failed = err
		return seen.Target.SpecReplicas
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
		panic(err) // Every mode of a course was compiled when it was read.
	}
	return pol
}

// show adds to an observation what does not come from the plant.
func (c *simulated) show(seen *scale.Observation) {
	at := max(seen.At.Sub(c.start), 0)
	for i := range c.scenario.Policy.Metrics {
		m := &c.scenario.Policy.Metrics[i]
		if name := metricName(m); name != "" {
			seen.Samples[i] = sample(m, c.scenario.metricAt(name, at), len(seen.Pods))
		}
	}
	seen.Requested = c.scenario.requestedAt(at)
	if r := c.scenario.recommendedAt(at); r != nil {
		seen.Recommended = []scale.Recommendation{{Container: "app", PerPod: r.amounts()}}
	}
}

// metricName is the name of a metric that is scripted; empty for resources.
func metricName(m *v1alpha1.MetricSpec) string {
	switch {
	case m.External != nil:
		return m.External.Metric.Name
	case m.Object != nil:
		return m.Object.Metric.Name
	case m.Pods != nil:
		return m.Pods.Metric.Name
	}
	return ""
}

// failure is the value of a metric that cannot be had.
const failure = "error"

// sample is what the adapter would answer.
func sample(m *v1alpha1.MetricSpec, value string, pods int) scale.Sample {
	if value == failure || value == "" {
		return scale.Sample{Problem: fmt.Sprintf("metric %s fails because the script says so", metricName(m))}
	}
	a, err := scale.ParseAmount(value)
	if err != nil {
		return scale.Sample{Problem: err.Error()}
	}
	if m.Pods == nil {
		return scale.Sample{Series: []scale.Amount{a}}
	}
	out := scale.Sample{PerPod: make([]scale.PodValue, pods)}
	for i := range out.PerPod {
		out.PerPod[i] = scale.PodValue{Value: a / scale.Amount(pods), Known: true}
	}
	return out
}

// upTo calls visit for each phase that has begun at a moment.
func (s *Scenario) upTo(at time.Duration, visit func(*Phase)) {
	begin := time.Duration(0)
	for i := range s.Course {
		if begin > at {
			return
		}
		visit(&s.Course[i])
		begin += s.Course[i].length()
	}
}

func (s *Scenario) metricAt(name string, at time.Duration) (value string) {
	s.upTo(at, func(p *Phase) {
		if v, ok := p.Metrics[name]; ok {
			value = strings.TrimSpace(v)
		}
	})
	return value
}

func (s *Scenario) requestedAt(at time.Duration) *int32 {
	requested := s.Policy.Replicas.Requested
	s.upTo(at, func(p *Phase) {
		if p.Requested != nil {
			requested = p.Requested
		}
	})
	return requested
}

func (s *Scenario) recommendedAt(at time.Duration) (r *Resources) {
	s.upTo(at, func(p *Phase) {
		if p.Recommended != nil {
			r = p.Recommended
		}
	})
	return r
}
