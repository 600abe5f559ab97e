package replay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/learn"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// Policy is something that scales a plant.
type Policy struct {
	Name string
	// Start returns a fresh controller, and adapts the plant to it.
	Start func(*sim.Settings) (sim.Controller, error)
	// spec and compiled are set for policies of our engine.
	spec     *v1alpha1.WorkloadAutoscalerSpec
	compiled engine.Policy
}

// Spec is the spec of a policy of our engine; nil for a yardstick of another
// kind.
func (p Policy) Spec() *v1alpha1.WorkloadAutoscalerSpec { return p.spec }

// Named returns the yardstick of a name. It reports false for any other word,
// which then is a file's name.
func Named(name string) (p Policy, known bool, err error) {
	kind, number, _ := strings.Cut(name, ":")
	switch {
	case name == "oracle":
		return Policy{Name: name, Start: func(s *sim.Settings) (sim.Controller, error) {
			s.Replicas = s.Foreseen() // Whatever the plant begins with.
			return sim.Oracle{}, nil
		}}, true, nil
	case name == "foretold":
		p, err := newForetold(name)
		return p, true, err
	case kind == "static":
		n, err := count(name, number, 0, sim.MaxPods)
		return static(name, n), true, err
	case kind == "hpa":
		percent, err := count(name, number, 1, 1000)
		if err != nil {
			return p, true, err
		}
		p, err = FromSpec(name, HPA(percent))
		return p, true, err
	}
	return rival(name)
}

func count(name, number string, least, most int64) (int32, error) {
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("policy %q needs a number between %d and %d after the colon", name, least, most)
	}
	return int32(n), nil
}

func static(name string, n int32) Policy {
	return Policy{Name: name, Start: func(s *sim.Settings) (sim.Controller, error) {
		s.Replicas = n
		return sim.Static(n), nil
	}}
}

// HPA is a HorizontalPodAutoscaler with a target for cpu and no behavior, as
// ours: compatibility HPA is the upstream algorithm itself. The maximum is the
// plant's own, so that it never decides the comparison.
func HPA(percent int32) v1alpha1.WorkloadAutoscalerSpec {
	least, most := int32(1), int32(sim.MaxPods)
	return v1alpha1.WorkloadAutoscalerSpec{
		Compatibility: v1alpha1.CompatibilityHPA,
		Replicas:      v1alpha1.ReplicaSpec{Min: &least, Max: &most},
		Metrics: []v1alpha1.MetricSpec{{
			Type: v1alpha1.ResourceMetricType,
			Resource: &v1alpha1.ResourceMetric{
				Name: scale.CPU.String(), Target: &v1alpha1.MetricTarget{AverageUtilization: &percent},
			},
		}},
	}
}

// FromSpec returns the policy of a WorkloadAutoscaler's spec.
func FromSpec(name string, spec v1alpha1.WorkloadAutoscalerSpec) (Policy, error) {
	return fromSpec(name, spec, func(l *learner.Learner, _ *sim.Settings) sim.Learner { return l })
}

// fromSpec is the same with a learner that may know more than the usual one.
func fromSpec(name string, spec v1alpha1.WorkloadAutoscalerSpec, taught func(*learner.Learner, *sim.Settings) sim.Learner) (Policy, error) {
	compiled, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		return Policy{}, err
	}
	p := Policy{Name: name, spec: &spec, compiled: compiled}
	container, err := p.onlyContainer()
	if err != nil {
		return Policy{}, err
	}
	p.Start = func(s *sim.Settings) (sim.Controller, error) {
		compiled := p.compiled
		if !s.Memory.Simulated() {
			var err error
			if compiled.Horizontal.Metrics, err = withoutMemory(compiled.Horizontal.Metrics); err != nil {
				return nil, err
			}
		}
		s.Container = container
		if !s.Resize.TemplateSized { // the webhook gives boosts
			s.Boost.Rules = compiled.Boost
		}
		if spec.Vertical != nil && s.Resize.Update == "" {
			s.Resize.Update = plan.Update(spec.Vertical.Update)
		}
		s.Resize.MinReplicas, s.Resize.Requirements = policy.DisruptionOf(spec)
		if b := spec.Behavior; b != nil && b.SyncPeriodSeconds != nil {
			s.Sync = time.Duration(*b.SyncPeriodSeconds) * time.Second
		}
		s.Replicas = max(s.Replicas, compiled.Limit.Min, 1)
		if compiled.Limit.Max > 0 {
			s.Replicas = min(s.Replicas, compiled.Limit.Max)
		}
		what, learns := learner.PlanOf(spec, compiled)
		if !learns {
			return sim.NewAutoscaler(compiled, nil), nil
		}
		what.Usage = false // Nobody will ask for more once the replay is over.
		what.Sync = s.Sync
		learner, err := learner.New(what)
		if err == nil && compiled.Learn.Tune == learn.TuneNightly {
			tuned := compiled
			tuned.Sync = s.Sync
			return sim.NewAutoscaler(compiled, newNightly(learner, tuned)), nil
		}
		return sim.NewAutoscaler(compiled, taught(learner, s)), err
	}
	return p, nil
}

// onlyContainer is the name of the one container that the pods have.
func (p *Policy) onlyContainer() (string, error) {
	name := ""
	take := func(other string) error {
		if name != "" && other != name {
			return fmt.Errorf("a replayed pod has one container, but the spec names %s and %s", name, other)
		}
		name = other
		return nil
	}
	for _, m := range p.compiled.Horizontal.Metrics {
		if m.Kind == horizontal.ContainerResource {
			if err := take(m.Container); err != nil {
				return "", err
			}
		}
	}
	for _, c := range p.spec.Containers {
		if c.Name != "*" {
			if err := take(c.Name); err != nil {
				return "", err
			}
		}
	}
	return name, nil
}

// isMemory tells whether a metric looks at the memory of pods.
func isMemory(m *horizontal.Metric) bool {
	return m.Kind <= horizontal.ContainerResource && m.Resource == scale.Memory
}

// withoutMemory leaves out the metrics of memory: a recording of work per second
// says nothing about it, and a metric without samples would hold every decision.
func withoutMemory(metrics []horizontal.Metric) ([]horizontal.Metric, error) {
	var kept []horizontal.Metric
	for i := range metrics {
		if !isMemory(&metrics[i]) {
			kept = append(kept, metrics[i])
		}
	}
	for i := range kept {
		f := kept[i].Formula
		needs := func(m horizontal.Metric) bool { return isMemory(&m) && slices.Contains(f.Names, m.Alias) }
		if f != nil && slices.ContainsFunc(metrics, needs) {
			return nil, fault.List{{Path: "formula", Message: "needs memory, of which a demand says nothing: Memory.Base and Memory.PerCore do"}}
		}
	}
	if len(kept) == 0 && len(metrics) > 0 {
		return nil, fault.List{{Message: "the spec scales by memory alone, of which a demand says nothing: Memory.Base and Memory.PerCore do"}}
	}
	return kept, nil
}
