package script

import (
	"fmt"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scale"
	"github.com/tidemark/tidemark/scaletest"
)

// Of returns the script of a call that led to a decision.
func Of(name string, c record.Call) (string, error) {
	then, _ := engine.Decide(c.Policy, c.Observation, c.Memory)
	head, err := given(name, &c)
	if err != nil {
		return "", err
	}
	// The first run is to see what is decided, the second to have it in words.
	var now scale.Decision
	if _, err := scaletest.Run(name, []byte(head+expected(&scale.Decision{})), noting(&now)); err != nil {
		return "", fmt.Errorf("a script cannot say it: %w", err)
	}
	text := head
	if !now.Want.Equal(then.Want) || now.Reason != then.Reason || now.LimitedBy != then.LimitedBy {
		text = fmt.Sprintf("# Then it was %q. A script begins without\n# a memory and its pods are alike, so here it is something else.\n",
			explain.Headline(then)) + head
	}
	written, err := scaletest.Run(name, []byte(text+expected(&now)), scaletest.Tidemark)
	if err != nil {
		return "", fmt.Errorf("a script cannot say it: %w", err)
	}
	again, err := scaletest.Run(name, written.Updated, scaletest.Tidemark)
	if err != nil || len(again.Failures) > 0 {
		return "", fmt.Errorf("a script cannot say it: %v %w", again.Failures, err)
	}
	return strings.TrimRight(string(written.Updated), "\n") + "\n", nil
}

// noting is our engine, whose first decision is noted.
func noting(first *scale.Decision) scaletest.Engine {
	return func(spec v1alpha1.WorkloadAutoscalerSpec, admin v1alpha1.AdminSettings) (scaletest.Decider, error) {
		d, err := scaletest.Tidemark(spec, admin)
		return &noted{d, first}, err
	}
}

type noted struct {
	scaletest.Decider
	first *scale.Decision
}

func (n *noted) Decide(obs scale.Observation) scale.Decision {
	d := n.Decider.Decide(obs)
	if n.first.Reason == "" {
		*n.first = d
	}
	return d
}

// given is the part of a script that says what is the case.
func given(name string, c *record.Call) (string, error) {
	spec := c.Spec
	spec.TargetRef = v1alpha1.TargetReference{}
	text, err := yaml.Marshal(spec)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# %s at %s\n", name, c.Observation.At.UTC().Format(time.RFC3339))
	out.WriteString("policy\n")
	for line := range strings.Lines(string(text)) {
		out.WriteString("  " + line)
	}
	fmt.Fprintf(&out, "\nstart %s\n\n%s\n", c.Observation.At.UTC().Format(time.RFC3339), workload(&c.Observation))
	fmt.Fprintf(&out, "\nload every 15s\n")
	for _, l := range load(c) {
		fmt.Fprintf(&out, "  %s  %s\n", l[0], l[1])
	}
	return out.String(), nil
}

// expected is the part that says what must happen.
func expected(d *scale.Decision) string {
	row := fmt.Sprintf("stay %d", d.Want.Replicas)
	if !d.Want.Equal(d.From) {
		row = strings.ReplaceAll(explain.Move(d.From, d.Want), "(", "")
	}
	if d.Reason != "" {
		row += "  " + explain.Because(*d)
	}
	return fmt.Sprintf("\neval every 15s\n  0s  %s\n\nexplain at 0s\n", row)
}

func workload(obs *scale.Observation) string {
	serving := int32(0)
	for i := range obs.Pods {
		if obs.Pods[i].Serves() {
			serving++
		}
	}
	out := fmt.Sprintf("workload %d replicas", obs.Target.SpecReplicas)
	if obs.Pods != nil && serving < obs.Target.SpecReplicas {
		out += fmt.Sprintf(", %d ready", serving)
	}
	if len(obs.Target.Containers) == 0 {
		return out
	}
	requests := obs.Target.Containers[0].Requests
	if cpu, ok := requests.Get(scale.CPU); ok {
		out += ", cpu " + scale.CPU.Format(cpu)
		if memory, ok := requests.Get(scale.Memory); ok {
			out += " memory " + scale.Memory.Format(memory)
		}
	}
	if limit, ok := obs.Target.Containers[0].Limits.Get(scale.CPU); ok {
		out += ", limit cpu " + scale.CPU.Format(limit)
	}
	return out
}

// load is what the metrics say, and what history knows.
func load(c *record.Call) (lines [][2]string) {
	add := func(name, value string) { lines = append(lines, [2]string{name, value}) }
	written := map[string]bool{}
	for i, m := range c.Policy.Horizontal.Metrics {
		name := m.Name
		if m.Of.Name != "" {
			name = m.Of.Name
		}
		if m.Kind == horizontal.Computed || written[name] {
			continue
		}
		written[name] = true
		add(name, shown(&m, i, &c.Observation))
	}
	l := c.Observation.Learned
	if l == nil {
		return lines
	}
	if l.Min > 0 {
		add("learned min", fmt.Sprint(l.Min))
	}
	if l.Max > 0 {
		add("learned max", fmt.Sprint(l.Max))
	}
	for _, h := range l.Headroom {
		if name := "headroom " + h.Resource.String(); !written[name] && h.Container == "" && len(h.Demand) == 0 {
			written[name] = true
			add(name, h.Resource.Format(h.Headroom))
		}
	}
	return lines
}

// shown is the value of a metric for a script, a gap where there is none: of
// resources and Pods metrics the mean of the pods that serve.
func shown(m *horizontal.Metric, index int, obs *scale.Observation) string {
	const gap = "_"
	switch m.Kind {
	case horizontal.Resource, horizontal.ContainerResource:
		sum, n := scale.Amount(0), int64(0)
		for i := range obs.Pods {
			for _, c := range obs.Pods[i].Containers {
				if used, ok := c.Usage.Get(m.Resource); ok && obs.Pods[i].Serves() {
					sum, n = sum.Add(used), n+1
				}
			}
		}
		if n == 0 {
			return gap
		}
		return m.Resource.Format(m.Resource.RoundUp(sum / scale.Amount(n)))
	}
	if index >= len(obs.Samples) {
		return gap
	}
	sum, n := scale.Amount(0), int64(0)
	for _, v := range obs.Samples[index].Series {
		sum, n = sum.Add(v), 1
	}
	for _, v := range obs.Samples[index].PerPod {
		if v.Known {
			sum, n = sum.Add(v.Value), n+1
		}
	}
	if n == 0 {
		return gap
	}
	return (sum / scale.Amount(n)).String()
}
