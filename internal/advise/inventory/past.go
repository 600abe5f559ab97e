package inventory

import (
	"cmp"
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

// The steps of what is fetched: usage is a mean of two minutes, so no sample of it is
// asked for twice, and what a pod looks like changes once in a while.
const fine, rough = 2 * time.Minute, time.Hour

// plainName is what a name in Kubernetes looks like. Anything else could end the
// string that it is put into.
var plainName = regexp.MustCompile(`^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$`)

func plain(w advise.Workload) bool {
	return plainName.MatchString(w.Namespace) && plainName.MatchString(w.Name)
}

// Names of pods are cut where they would be too long, before their last five letters.
const (
	longestBase = 58
	mostHash    = len("-5d4f8c7b9c-")
)

// podsOf selects the series of a workload's pods, by names that are as narrow as
// its kind allows, so that pods of web-api are not taken for pods of web.
func (p *Prometheus) podsOf(w advise.Workload) string {
	name, tail := w.Name, `-[a-z0-9]+-[a-z0-9]{5}`
	switch {
	case w.Kind == advise.StatefulSet:
		tail = `-[0-9]+`
	case len(name)+mostHash > longestBase:
		name, tail = name[:min(len(name), longestBase)], fmt.Sprintf(`[-a-z0-9]{5,%d}`, mostHash+5)
	}
	return fmt.Sprintf(`namespace=%q,pod=~"%s%s"%s`, w.Namespace, strings.ReplaceAll(name, ".", "[.]"), tail, p.also())
}

// also are the matchers that every series has to meet beside its own.
func (p *Prometheus) also() string {
	if p.Matchers == "" {
		return ""
	}
	return "," + p.Matchers
}

// Past fetches what is known of a workload. What the server does not know is
// missing, and not an error.
func (p *Prometheus) Past(ctx context.Context, w advise.Workload) (advise.Past, error) {
	if !plain(w) {
		return advise.Past{}, fmt.Errorf("%.64q cannot stand in a query", w.String())
	}
	out := advise.Past{Requests: w.Requests, Limits: w.Limits}
	pods := p.podsOf(w)
	var err error
	if out.Problems, err = p.problems(ctx, w, pods); err != nil {
		return out, err
	}
	used := fmt.Sprintf(`container_cpu_usage_seconds_total{%s,container!="",container!="POD"}`, pods)
	// Those that are scraped seldom have no rate in two minutes.
	for _, window := range []string{"2m", "5m"} {
		// Where two servers scrape the same, each series is there twice.
		usage := fmt.Sprintf(`sum(max by (pod, container) (rate(%s[%s])))`, used, window)
		if out.Demand, err = p.fetch(ctx, usage, fine); err != nil || len(out.Demand.Points) > 0 {
			break
		}
	}
	if err != nil || len(out.Demand.Points) == 0 {
		return out, err
	}
	if out.Replicas, err = p.counts(ctx, w, used); err != nil {
		return out, err
	}
	return out, errors.Join(p.sizes(ctx, pods, &out), p.events(ctx, pods, &out))
}

// counts fetches how many pods there were to be, or where that is not known how many
// were seen.
func (p *Prometheus) counts(ctx context.Context, w advise.Workload, used string) (trace.Trace, error) {
	for _, k := range kinds {
		if k.kind == w.Kind {
			out, err := p.fetch(ctx, fmt.Sprintf("max(%s{namespace=%q,%s=%q%s})", k.series, w.Namespace, k.label, w.Name, p.also()), fine)
			if err != nil || len(out.Points) > 0 {
				return out, err
			}
		}
	}
	return p.fetch(ctx, fmt.Sprintf("count(count by (pod) (%s))", used), fine)
}

// sizes fetches what a pod requests and may use at most.
func (p *Prometheus) sizes(ctx context.Context, pods string, to *advise.Past) error {
	for _, r := range []scale.Resource{scale.CPU, scale.Memory} {
		each := func(series string) string {
			return fmt.Sprintf(`max by (pod, container) (%s{%s,resource=%q})`, series, pods, r.String())
		}
		requests, limits := each("kube_pod_container_resource_requests"), each("kube_pod_container_resource_limits")
		was, err := p.fetch(ctx, fmt.Sprintf("avg(sum by (pod) (%s))", requests), rough)
		if err != nil {
			return err
		}
		if n := len(was.Points); n > 0 {
			to.Requests = to.Requests.With(r, was.Points[n-1].Value)
			if r == scale.CPU {
				to.LeastCPU = slices.MinFunc(was.Points, func(a, b trace.Point) int { return cmp.Compare(a.Value, b.Value) }).Value
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
	starts := fmt.Sprintf("quantile(0.5, max by (pod) (kube_pod_status_ready_time{%s}) - on (pod) max by (pod) (kube_pod_created{%s}) < %d)",
		pods, pods, int(longestStart.Seconds()))
	took, err := p.fetch(ctx, starts, rough)
	if err != nil {
		return err
	}
	if n := len(took.Points); n > 0 {
		slices.SortFunc(took.Points, func(a, b trace.Point) int { return cmp.Compare(a.Value, b.Value) })
		to.StartUp = max(time.Duration(took.Points[n/2].Value)*time.Millisecond, time.Second)
	}
	killed := fmt.Sprintf(`sum(max by (pod, container) (max_over_time(kube_pod_container_status_last_terminated_reason{%s,reason="OOMKilled"}[%ds])))`, pods, int(p.Length.Seconds()))
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
