package inventory

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/internal/lint"
	"github.com/tidemark/tidemark/internal/observe/prometheus"
)

// bySeries are the rules that look at nothing but what Prometheus knows: the bounds and
// targets of HPAs, who else scales the workload, and what containers request and may
// use. The others would take for missing what only nobody has told.
var bySeries = []string{"TM010", "TM011", "TM012", "TM014", "TM030", "TM040", "TM050", "TM051"}

// told is how a finding reads below an advice.
func told(f lint.Finding) string { return fmt.Sprintf("%s %s: %s", f.Rule, f.Object, f.Message) }

// problems are what lint finds about a workload and its autoscalers, as far as
// series tell it.
func (p *Prometheus) problems(ctx context.Context, w advise.Workload, pods string) ([]string, error) {
	if !slices.ContainsFunc(w.Autoscalers, func(a advise.Autoscaler) bool { return a.Partial }) {
		return nil, nil
	}
	containers, err := p.containers(ctx, pods)
	if err != nil {
		return nil, err
	}
	var set lint.Set
	for _, a := range w.Autoscalers {
		set.Add(lint.Read("", bytes.NewReader(a.Document)))
	}
	rules := bySeries
	if containers == nil {
		// Whether they have requests is not known, so nothing is said of that.
		rules = slices.DeleteFunc(slices.Clone(bySeries), func(id string) bool { return id == "TM040" })
	}
	text, err := json.Marshal(map[string]any{
		"apiVersion": "apps/v1", "kind": w.Kind, "metadata": map[string]any{"namespace": w.Namespace, "name": w.Name},
		"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"containers": containers}}},
	})
	if err != nil {
		return nil, err
	}
	set.Add(lint.Read("", bytes.NewReader(text)))
	var out []string
	for _, f := range lint.Check(&set) {
		if f.Severity >= lint.Warning && slices.Contains(rules, f.Rule) {
			out = append(out, told(f))
		}
	}
	return out, nil
}

// sizes are the requests and the limits of a container.
type sizes map[string]map[string]string

func (s sizes) add(part string, of prometheus.Labeled) {
	if name := of.Labels["resource"]; name == "cpu" || name == "memory" {
		if s[part] == nil {
			s[part] = map[string]string{}
		}
		s[part][name] = resource.NewMilliQuantity(int64(of.Value), resource.DecimalSI).String()
	}
}

// containers are those of a workload's pods with what they request and may use, as
// an object has them. There are none where that is not known of any.
func (p *Prometheus) containers(ctx context.Context, pods string) ([]map[string]any, error) {
	found := map[string]sizes{}
	known := false
	for _, q := range []struct{ part, query string }{
		{"", fmt.Sprintf("max by (container) (kube_pod_container_info{%s})", pods)},
		{"requests", fmt.Sprintf("max by (container, resource) (kube_pod_container_resource_requests{%s})", pods)},
		{"limits", fmt.Sprintf("max by (container, resource) (kube_pod_container_resource_limits{%s})", pods)},
	} {
		series, err := p.Reader.At(ctx, q.query, p.Until)
		if err != nil {
			return nil, err
		}
		for _, s := range series {
			name := s.Labels["container"]
			if name == "" {
				continue
			}
			if found[name] == nil {
				found[name] = sizes{}
			}
			if q.part != "" {
				found[name].add(q.part, s)
				known = true
			}
		}
	}
	if !known {
		return nil, nil
	}
	var out []map[string]any
	for _, name := range slices.Sorted(maps.Keys(found)) {
		out = append(out, map[string]any{"name": name, "resources": found[name]})
	}
	return out, nil
}
