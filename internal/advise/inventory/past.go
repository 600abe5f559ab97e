package inventory

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/internal/observe/prometheus"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// The steps of what is fetched: usage changes each minute, and what a pod looks
// like once in a while.
const fine, rough = time.Minute, time.Hour

// plainName is what a name in Kubernetes looks like. Anything else could end the
// string that it is put into.
var plainName = regexp.MustCompile(`^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$`)

func plain(w advise.Workload) bool {
	return plainName.MatchString(w.Namespace) && plainName.MatchString(w.Name)
}

// podsOf selects the series of a workload's pods, by names that are as narrow as
// its kind allows, so that pods of web-api are not taken for pods of web.
func podsOf(w advise.Workload) string {
	tail := `-[a-z0-9]+-[a-z0-9]{5}`
	if w.Kind == advise.StatefulSet {
		tail = `-[0-9]+`
	}
	return fmt.Sprintf(`namespace=%q,pod=~"%s%s"`, w.Namespace, strings.ReplaceAll(w.Name, ".", "[.]"), tail)
}

// Past fetches what is known of a workload. What the server does not know is
// missing, and not an error.
func (p *Prometheus) Past(ctx context.Context, w advise.Workload) (advise.Past, error) {
	if !plain(w) {
		return advise.Past{}, fmt.Errorf("%.64q cannot stand in a query", w.String())
	}
	var out advise.Past
	pods := podsOf(w)
	var err error
	if out.Problems, err = p.problems(ctx, w, pods); err != nil {
		return out, err
	}
	usage := fmt.Sprintf(`sum(rate(container_cpu_usage_seconds_total{%s,container!="",container!="POD"}[2m]))`, pods)
	if out.Demand, err = p.fetch(ctx, usage, fine); err != nil || len(out.Demand.Points) == 0 {
		return out, err
	}
	for _, k := range kinds {
		if k.kind == w.Kind {
			counts := fmt.Sprintf("max(%s{namespace=%q,%s=%q})", k.series, w.Namespace, k.label, w.Name)
			if out.Replicas, err = p.fetch(ctx, counts, fine); err != nil {
				return out, err
			}
		}
	}
	return out, errors.Join(p.sizes(ctx, pods, &out), p.events(ctx, pods, &out))
}

// sizes fetches what a pod requests and may use at most.
func (p *Prometheus) sizes(ctx context.Context, pods string, to *advise.Past) error {
	for _, r := range []scale.Resource{scale.CPU, scale.Memory} {
		requests := fmt.Sprintf(`kube_pod_container_resource_requests{%s,resource=%q}`, pods, r.String())
		limits := fmt.Sprintf(`kube_pod_container_resource_limits{%s,resource=%q}`, pods, r.String())
		was, err := p.fetch(ctx, fmt.Sprintf("avg(sum by (pod) (%s))", requests), rough)
		if err != nil {
			return err
		}
		if n := len(was.Points); n > 0 {
			to.Requests = to.Requests.With(r, was.Points[n-1].Value)
			if r == scale.CPU {
				to.LeastCPU = slices.MinFunc(was.Points, func(a, b trace.Point) int { return int(a.Value - b.Value) }).Value
			}
		}
		// A limit bounds a pod where each of its containers has one.
		bounded := fmt.Sprintf("avg(sum by (pod) (%s) and (count by (pod) (%s) >= count by (pod) (%s)))", limits, limits, requests)
		if was, err = p.fetch(ctx, bounded, rough); err != nil {
			return err
		}
		if n := len(was.Points); n > 0 {
			to.Limits = to.Limits.With(r, was.Points[n-1].Value)
		}
	}
	return nil
}

// longestStart is how long a start may take: what is longer was no start, but a
// pod that was ready again.
const longestStart = 30 * time.Minute

// events fetches how long pods took to start, and whether they were killed.
func (p *Prometheus) events(ctx context.Context, pods string, to *advise.Past) error {
	starts := fmt.Sprintf("quantile(0.5, kube_pod_status_ready_time{%s} - on (namespace, pod) kube_pod_created{%s} < %d)", pods, pods, int(longestStart.Seconds()))
	took, err := p.fetch(ctx, starts, rough)
	if err != nil {
		return err
	}
	if n := len(took.Points); n > 0 {
		slices.SortFunc(took.Points, func(a, b trace.Point) int { return int(a.Value - b.Value) })
		to.StartUp = max(time.Duration(took.Points[n/2].Value)*time.Millisecond, time.Second)
	}
	killed := fmt.Sprintf(`sum(max_over_time(kube_pod_container_status_last_terminated_reason{%s,reason="OOMKilled"}[%ds]))`, pods, int(p.Length.Seconds()))
	found, err := p.Reader.At(ctx, killed, p.Until)
	for _, f := range found {
		to.OOMKills += int64(f.Value / scale.Thousand)
	}
	return err
}

// fetch fetches a series. Samples that cannot be used are left out.
func (p *Prometheus) fetch(ctx context.Context, query string, step time.Duration) (trace.Trace, error) {
	end := p.Until.Truncate(fine)
	out, _, err := p.Reader.Fetch(ctx, prometheus.Recording{Query: query, Start: end.Add(-p.Length), End: end, Step: step, Repair: true})
	if errors.Is(err, prometheus.ErrUnknown) {
		err = nil
	}
	return out, err
}
