package manifest

import (
	"slices"

	names "k8s.io/apimachinery/pkg/util/validation"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/policy"
)

// section is a part that only a WorkloadAutoscaler has.
type section struct {
	name  string
	given bool
	// does says what an HPA cannot do.
	does string
}

func (a Autoscaler) sections() []section {
	return []section{
		{"containers", a.Containers != nil, "size containers"},
		{"vertical", a.Vertical != nil, "size containers"},
		{"intervals", a.Intervals != nil, "choose count and size together"},
		{"learn", a.Learn != nil, "learn from history"},
		{"schedules", a.Schedules != nil, "know schedules"},
		{"pause", a.Pause != nil, "pause"},
		{"idleReplicas", a.IdleReplicas != nil, "go below its minimum"},
		{"combine", a.Combine != "" && a.Combine != v1alpha1.CombineMax, "take another count than the largest"},
		{"formula", a.Formula != nil, "compute a metric from others"},
	}
}

// extras checks the sections that only a WorkloadAutoscaler has. What they may
// hold is the compiler's to say, so that there is one opinion about it.
func (c *checker) extras() {
	given := false
	for _, s := range c.sections() {
		given = given || s.given
		if s.given && c.kind == HorizontalPodAutoscaler {
			c.faults.Add(fault.Path(s.name), "an HPA does not %s: say kind: WorkloadAutoscaler, or remove it", s.does)
		}
	}
	if !given || c.kind == HorizontalPodAutoscaler {
		return
	}
	spec := v1alpha1.WorkloadAutoscalerSpec{
		Replicas: c.replicas(), Containers: c.Containers, Vertical: c.Vertical, Intervals: c.Intervals, Learn: c.Learn,
		Schedules: c.Schedules, Pause: c.Pause,
	}
	_, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	for _, f := range fault.Of(err) {
		// Bounds that are wrong without the sections are told already.
		if !f.Path.Within("replicas") {
			c.faults = append(c.faults, f)
		}
	}
	if c.Intervals != nil && c.MinReplicas != nil && *c.MinReplicas == 0 {
		c.faults.Add("minReplicas", "must be at least 1 with intervals: no total needs no pods")
	}
	c.namesOfContainers()
}

// Limits of a WorkloadAutoscaler's lists.
const (
	maxContainers = 20
	maxRanges     = 50
)

// namesOfContainers refuses policies for containers that no pod can have, or
// that these pods do not have.
func (c *checker) namesOfContainers() {
	if len(c.Containers) > maxContainers {
		c.faults.Add("containers", "has %d entries: at most %d are allowed", len(c.Containers), maxContainers)
	}
	if c.Intervals != nil && len(c.Intervals.Ranges) > maxRanges {
		c.faults.Add("intervals.ranges", "has %d entries: at most %d are allowed", len(c.Intervals.Ranges), maxRanges)
	}
	there := c.Target.containerNames()
	for i, p := range c.Containers {
		at := fault.Path("containers").Index(i).Field("name")
		if p.Name == "*" || p.Name == "" {
			continue
		}
		illegal := names.IsDNS1123Label(p.Name)
		c.words(at, illegal)
		if c.Target.template != nil && len(illegal) == 0 && !slices.Contains(there, p.Name) {
			c.faults.Add(at, "the target has no container %q: it has %s", p.Name, listed(there))
		}
	}
}

// replicas are the bounds as a WorkloadAutoscaler states them.
func (a Autoscaler) replicas() v1alpha1.ReplicaSpec {
	out := v1alpha1.ReplicaSpec{Min: a.MinReplicas, Idle: a.IdleReplicas}
	if a.MaxReplicas != 0 {
		out.Max = &a.MaxReplicas
	}
	return out
}
