package manifest

import (
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/policy"
)

// composed checks what metrics are to each other, and when a workload sleeps. What is
// right there depends on everything else, so the compiler says it, of an
// autoscaler that is right otherwise.
func (c *checker) composed() {
	used := c.IdleReplicas != nil || c.Combine != "" || c.Formula != nil
	for i, m := range c.Metrics {
		used = used || m.Alias != "" || m.Activation != nil || len(m.sources()) > 0
		for _, field := range []struct {
			name  string
			given bool
		}{{"alias", m.Alias != ""}, {"activation", m.Activation != nil}} {
			if field.given && c.kind == HorizontalPodAutoscaler {
				c.faults.Add(fault.Path("metrics").Index(i).Field(field.name), "is not known to a %s: make the kind %s, or remove it", c.kind, WorkloadAutoscaler)
			}
		}
	}
	for _, d := range c.directions() {
		used = used || d.rules != nil && (d.rules.ToZeroDelaySeconds != nil || d.rules.EmptiestFirst != nil)
	}
	if !used || c.kind == HorizontalPodAutoscaler || len(c.faults) > 0 {
		return
	}
	_, err := policy.Compile(c.spec(), v1alpha1.AdminSettings{})
	for _, f := range fault.Of(err) {
		f.Path = compactPath(f.Path)
		c.faults = append(c.faults, f)
	}
}

// compactPath is the field of the compact form that became a field of the spec.
func compactPath(path fault.Path) fault.Path {
	text := string(path)
	switch {
	case path == "replicas.idle":
		return "idleReplicas"
	case path.Within("replicas"):
		return "minReplicas"
	case strings.HasPrefix(text, "metrics[") && strings.HasSuffix(text, "].name"):
		return fault.Path(strings.TrimSuffix(text, "name") + "alias")
	case strings.HasPrefix(text, "metrics["):
		return fault.Path(strings.NewReplacer("].external.metric.", "].", "].external.", "].").Replace(text))
	}
	return fault.Path(strings.TrimPrefix(text, "behavior."))
}
