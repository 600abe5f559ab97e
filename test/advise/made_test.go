//go:build e2e

package advise_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
	"github.com/tidemark/tidemark/scale"
)

// begin is when the past of the workloads that are made up begins.
var begin = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// made is a workload that is made up.
type made struct {
	name   string
	demand trace.Trace
	counts trace.Trace
	// cpu and limit are in cores; none is no limit, or no request.
	cpu, limit float64
	// target is that of its HPA; none is no HPA.
	target, least, most int32
}

const (
	week       = 7 * 24 * time.Hour
	madeCPU    = 0.5
	madePods   = 12
	madeMemory = 512 << 20
	madeStart  = 40 * time.Second
)

// madeUp are so many workloads of every shape, from a number on. The counts of those that have an HPA
// are what one does with such a demand.
func madeUp(t testing.TB, from, n int, length time.Duration) []made {
	t.Helper()
	out := make([]made, n)
	err := replay.Each(n, func(place int) error {
		names, i := generate.Names(), from+place
		m := made{name: fmt.Sprintf("w%02d", i), cpu: madeCPU, least: 2, most: 60}
		var err error
		m.demand, err = generate.Named(names[i%len(names)], uint64(i), generate.Options{Length: length, Mean: 1500, Start: begin})
		if err != nil {
			return err
		}
		policy := replay.Recorded("static", trace.Trace{Step: time.Minute, Points: []trace.Point{{At: begin, Value: madePods * scale.Thousand}}})
		if i%3 != 2 {
			m.target = 60 - 10*int32(i%2)
			spec := replay.HPA(m.target)
			spec.Replicas.Min, spec.Replicas.Max = &m.least, &m.most
			if policy, err = replay.FromSpec("hpa", spec); err != nil {
				return err
			}
		}
		m.counts, err = decided(m.demand, policy)
		out[place] = m
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// decided are the counts that a policy decides on, one each minute.
func decided(demand trace.Trace, policy replay.Policy) (trace.Trace, error) {
	plant := replay.Honest()
	plant.Requests = scale.Resources{}.With(scale.CPU, scale.Amount(madeCPU*1000)).With(scale.Memory, scale.Thousand*madeMemory)
	plant.Limits, plant.StartUp, plant.Interpolate = scale.Resources{}, madeStart, true
	// Another cluster has other chances.
	plant.Seed = 7
	r, err := replay.New(demand, plant)
	if err != nil {
		return trace.Trace{}, err
	}
	results, err := r.Run([]replay.Policy{policy}, replay.Options{Timeline: true, WithoutOracle: true})
	if err != nil {
		return trace.Trace{}, err
	}
	out := trace.Trace{Step: time.Minute}
	for _, m := range results[0].Timeline {
		if m.At.Truncate(time.Minute).Equal(m.At) {
			out.Points = append(out.Points, trace.Point{At: m.At, Value: scale.Amount(m.Replicas) * scale.Thousand})
		}
	}
	return out, nil
}

// block writes the series of workloads as kube-state-metrics and cadvisor have
// them, with Prometheus' own library: as many as each call has, until one has none.
func block(t testing.TB, dir string, length time.Duration, more func() []made) {
	t.Helper()
	w, err := tsdb.NewBlockWriter(slog.New(slog.DiscardHandler), dir, 2*length.Milliseconds())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}()
	for all := more(); len(all) > 0; all = more() {
		for _, m := range all {
			series := writer{t: t, to: w.Appender(t.Context()), refs: map[string]storage.SeriesRef{}}
			m.write(&series)
			if err := series.to.Commit(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := w.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// once has all of them the first time, and then none.
func once(all []made) func() []made {
	return func() (out []made) {
		out, all = all, nil
		return out
	}
}

// writer appends samples of series that have the same labels but for a few.
type writer struct {
	t    testing.TB
	to   storage.Appender
	refs map[string]storage.SeriesRef
}

// put appends a sample. The pairs are labels.
func (w *writer) put(at time.Time, value float64, name string, pairs ...string) {
	key := name + strings.Join(pairs, ",")
	set := labels.EmptyLabels()
	if w.refs[key] == 0 {
		set = labels.FromStrings(append([]string{model.MetricNameLabel, name, "namespace", "shop"}, pairs...)...)
	}
	ref, err := w.to.Append(w.refs[key], set, at.UnixMilli(), value)
	if err != nil {
		w.t.Fatalf("%s at %s: %v", key, at, err)
	}
	w.refs[key] = ref
}

// write writes what a scrape each minute finds. What hardly changes is written as
// seldom as a query still sees it.
func (m *made) write(w *writer) {
	const seldom = 4
	work := map[int32]float64{}
	for i, p := range m.demand.Points {
		count := sim.Pods(m.counts.Points[min(i, len(m.counts.Points)-1)].Value)
		w.put(p.At, float64(count), "kube_deployment_spec_replicas", "deployment", m.name)
		for k := range count {
			pod := fmt.Sprintf("%s-7d9f-%05d", m.name, k)
			work[k] += float64(p.Value) / 1000 / float64(count) * 60
			w.put(p.At, work[k], "container_cpu_usage_seconds_total", "pod", pod, "container", "app")
			if i%seldom == 0 {
				m.writePod(w, p.At, pod)
			}
		}
		if i%seldom == 0 && m.target > 0 {
			m.writeHPA(w, p.At)
		}
	}
}

func (m *made) writePod(w *writer, at time.Time, pod string) {
	of := []string{"pod", pod, "container", "app", "resource"}
	if m.cpu > 0 {
		w.put(at, m.cpu, "kube_pod_container_resource_requests", append(of, "cpu")...)
	}
	w.put(at, madeMemory, "kube_pod_container_resource_requests", append(of, "memory")...)
	if m.limit > 0 {
		w.put(at, m.limit, "kube_pod_container_resource_limits", append(of, "cpu")...)
	}
	w.put(at, float64(begin.Unix()), "kube_pod_created", "pod", pod)
	w.put(at, float64(begin.Add(madeStart).Unix()), "kube_pod_status_ready_time", "pod", pod)
}

func (m *made) writeHPA(w *writer, at time.Time) {
	named := []string{"horizontalpodautoscaler", m.name}
	w.put(at, 1, "kube_horizontalpodautoscaler_info", append(named, "scaletargetref_kind", "Deployment", "scaletargetref_name", m.name)...)
	w.put(at, float64(m.least), "kube_horizontalpodautoscaler_spec_min_replicas", named...)
	w.put(at, float64(m.most), "kube_horizontalpodautoscaler_spec_max_replicas", named...)
	w.put(at, float64(m.target), "kube_horizontalpodautoscaler_spec_target_metric", append(named, "metric_name", "cpu", "metric_target_type", "utilization")...)
}
