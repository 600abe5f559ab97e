package inventory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/internal/observe/prometheus"
	"github.com/tidemark/tidemark/internal/replay/sim"
)

// Prometheus looks for workloads and their past.
type Prometheus struct {
	Reader *prometheus.Reader
	// Namespace is where to look; empty is everywhere.
	Namespace string
	// Matchers are what every series has to meet as well, as a query has them, such
	// as cluster="prod".
	Matchers string
	// Until is where the past ends, and Length how far it reaches.
	Until  time.Time
	Length time.Duration
}

// ErrNothing is for a server that knows of no workload.
var ErrNothing = errors.New("it knows no Deployment or StatefulSet there: kube_deployment_spec_replicas and kube_statefulset_replicas " +
	"of kube-state-metrics are looked at")

// kinds are the series that list the workloads of a kind, with how many pods each
// should have.
var kinds = []struct{ kind, label, series string }{
	{advise.Deployment, "deployment", "kube_deployment_spec_replicas"},
	{advise.StatefulSet, "statefulset", "kube_statefulset_replicas"},
}

// Workloads lists the workloads there are at the end of the past, with their HPAs.
func (p *Prometheus) Workloads(ctx context.Context) ([]advise.Workload, error) {
	var out []advise.Workload
	for _, k := range kinds {
		found, err := p.Reader.At(ctx, fmt.Sprintf("max by (namespace, %s) (%s%s)", k.label, k.series, p.selector()), p.Until)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if w := (advise.Workload{Namespace: f.Labels["namespace"], Kind: k.kind, Name: f.Labels[k.label]}); plain(w) {
				out = append(out, w)
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the Prometheus server answers, but %w", ErrNothing)
	}
	slices.SortFunc(out, byName)
	return out, p.addHPAs(ctx, out)
}

// selector asks for the namespace and what else is wanted.
func (p *Prometheus) selector() string {
	if p.Namespace == "" {
		return "{" + p.Matchers + "}"
	}
	return fmt.Sprintf("{namespace=%q%s}", p.Namespace, p.also())
}

// target is whom an autoscaler points at.
type target struct{ namespace, kind, name string }

// addHPAs gives each workload the HPA that points at it.
func (p *Prometheus) addHPAs(ctx context.Context, to []advise.Workload) error {
	known, err := p.hpas(ctx)
	if err != nil {
		return err
	}
	for i := range to {
		w := &to[i]
		for _, h := range known[target{w.Namespace, w.Kind, w.Name}] {
			a, err := h.autoscaler(w)
			if err != nil {
				return err
			}
			w.Autoscalers = append(w.Autoscalers, a)
		}
	}
	return nil
}

// hpas reads what kube-state-metrics says of HPAs.
func (p *Prometheus) hpas(ctx context.Context) (map[target][]*hpa, error) {
	type key struct{ namespace, name string }
	byName := map[key]*hpa{}
	out := map[target][]*hpa{}
	each := func(series string, do func(h *hpa, s prometheus.Labeled)) error {
		found, err := p.Reader.At(ctx, "kube_horizontalpodautoscaler_"+series+p.selector(), p.Until)
		for _, s := range found {
			if h := byName[key{s.Labels["namespace"], s.Labels["horizontalpodautoscaler"]}]; h != nil {
				do(h, s)
			}
		}
		return err
	}
	infos, err := p.Reader.At(ctx, "kube_horizontalpodautoscaler_info"+p.selector(), p.Until)
	if err != nil {
		return nil, err
	}
	for _, s := range infos {
		h := &hpa{name: s.Labels["horizontalpodautoscaler"]}
		k := key{s.Labels["namespace"], h.name}
		if byName[k] != nil {
			continue // Several replicas of kube-state-metrics say the same.
		}
		byName[k] = h
		of := target{s.Labels["namespace"], s.Labels["scaletargetref_kind"], s.Labels["scaletargetref_name"]}
		out[of] = append(out[of], h)
	}
	return out, errors.Join(
		each("spec_min_replicas", func(h *hpa, s prometheus.Labeled) { h.least = sim.Pods(s.Value) }),
		each("spec_max_replicas", func(h *hpa, s prometheus.Labeled) { h.most = sim.Pods(s.Value) }),
		each("spec_target_metric", func(h *hpa, s prometheus.Labeled) {
			m := metric{s.Labels["metric_name"], s.Labels["metric_target_type"], s.Value}
			if !slices.Contains(h.metrics, m) {
				h.metrics = append(h.metrics, m)
			}
		}),
	)
}
