package decided

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/probe"
	"github.com/tidemark/tidemark/internal/ui/script"
	"github.com/tidemark/tidemark/scale"
)

// Of returns the decision that a call leads to.
func Of(key feed.Key, c record.Call) feed.Decision {
	d, _ := engine.Decide(c.Policy, c.Observation, c.Memory)
	out := feed.Decision{
		Key: key, At: c.Observation.At.UnixMilli(), View: explain.ViewOf(d), Headline: explain.Headline(d), Text: explain.Text(d),
		Bounds:  feed.Bounds{Min: d.Bounds.Min, Max: d.Bounds.Max, MinReason: string(d.Bounds.MinReason), MaxReason: string(d.Bounds.MaxReason)},
		Unmoved: unmoved(&d), Sums: []string{}, Changes: []feed.Turn{},
	}
	for i := range d.Steps {
		out.Sums = append(out.Sums, explain.Sum(d.Steps[i]))
	}
	for _, t := range probe.Turns(c) {
		out.Changes = append(out.Changes, feed.Turn{Metric: t.Metric, Now: t.Now, At: t.At, Up: t.Up, None: !t.Found, Headline: headline(&t.Decision)})
	}
	out.Pods = Pods(&c)
	var err error
	if out.Script, err = script.Of(key.Namespace+"/"+key.Name, c); err != nil {
		out.Missing = err.Error()
	}
	if line, err := record.Encode(c, v1alpha1.AdminSettings{}); err == nil {
		out.Document = string(line)
	}
	return out
}

// headline is that of explain, with what the mode keeps back.
func headline(d *scale.Decision) string {
	line, rest, _ := strings.Cut(explain.Text(*d), "\n")
	if d.Proposed.Equal(d.Want) {
		return line
	}
	held, _, _ := strings.Cut(rest, "\n")
	return line + ": " + strings.TrimSpace(held)
}

// unmoved are the limits that did not hold the decision back, in their order.
func unmoved(d *scale.Decision) []string {
	out := []string{}
	for _, r := range scale.Limiting {
		if !slices.ContainsFunc(d.Steps, func(s scale.Step) bool { return s.Reason == r }) {
			out = append(out, string(r))
		}
	}
	return out
}

// Pods are the pods that a call saw, as squares.
func Pods(c *record.Call) []feed.Pod {
	out := []feed.Pod{}
	for i := range c.Observation.Pods {
		out = append(out, podOf(c, &c.Observation.Pods[i]))
	}
	return out
}

// podOf is a pod as a square.
func podOf(c *record.Call, p *scale.Pod) feed.Pod {
	standing := p.Standing(c.Observation.At, c.Policy.Horizontal.StartUp())
	out := feed.Pod{Name: p.Name, State: standing.String(), Words: standing.String()}
	if p.Pending != "" {
		out.Words += ": " + p.Pending
	}
	if p.Waiting != "" {
		out.Words += ": " + p.Waiting
	}
	for _, container := range p.Containers {
		used, ok := container.Usage.Get(scale.CPU)
		if !ok {
			continue
		}
		requested, _ := container.Has(scale.CPU)
		out.Words += fmt.Sprintf(", %s uses %s of %s cpu", container.Name, scale.CPU.Format(used), scale.CPU.Format(requested))
	}
	return out
}
