package metrics

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tidemark/tidemark/scale"
)

var names = regexp.MustCompile(`\b(tidemark_[a-z_]+|rest_client_[a-z_]+)\b`)

// known are the names that a query may use: a histogram has three.
func known() map[string]bool {
	out := map[string]bool{}
	for _, s := range List {
		out[s.Name] = true
		if s.Type == Histogram {
			out[s.Name+"_bucket"], out[s.Name+"_sum"], out[s.Name+"_count"] = true, true, true
		}
	}
	return out
}

// TestQueriesUseTheList: no panel and no alert asks for a series that does not
// exist, and no series of ours goes unused.
func TestQueriesUseTheList(t *testing.T) {
	used, all := map[string]bool{}, known()
	var queries []string
	for _, row := range Rows {
		for _, p := range row.Panels {
			queries = append(queries, p.Query)
		}
	}
	for _, a := range Alerts {
		queries = append(queries, a.Expr)
	}
	for _, q := range queries {
		found := names.FindAllString(q, -1)
		if len(found) == 0 {
			t.Errorf("%s asks for no series", q)
		}
		for _, name := range found {
			used[strings.TrimSuffix(name, "_bucket")] = true
			if !all[name] {
				t.Errorf("%s is not in the list: %s", name, q)
			}
		}
	}
	for _, s := range List {
		if !used[s.Name] {
			t.Errorf("no panel and no alert uses %s", s.Name)
		}
	}
}

func TestAlertsSayWhatToDo(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range Alerts {
		if seen[a.Name] || !strings.HasPrefix(a.Name, "Tidemark") || a.Summary == "" || a.Action == "" {
			t.Errorf("%+v", a)
		}
		seen[a.Name] = true
		if _, err := time.ParseDuration(a.For); err != nil {
			t.Errorf("%s: %v", a.Name, err)
		}
		if !slices.Contains([]string{"info", "warning", "critical"}, a.Severity) {
			t.Errorf("%s has the severity %q", a.Name, a.Severity)
		}
	}
}

// served is one family of series as it was served.
type served struct {
	series int
	labels []string
	// value is the first one's.
	value float64
}

func gather(t *testing.T, registry *prometheus.Registry) map[string]served {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]served{}
	for _, f := range families {
		first := f.GetMetric()[0]
		one := served{series: len(f.GetMetric()), value: first.GetGauge().GetValue()}
		for _, l := range first.GetLabel() {
			one.labels = append(one.labels, l.GetName())
		}
		out[f.GetName()] = one
	}
	return out
}

// TestEverySeriesIsServed: what the list promises is there, with its labels.
func TestEverySeriesIsServed(t *testing.T) {
	d := scale.Decision{
		Want: scale.Size{Replicas: 4}, Countdown: scale.Countdown{Up: time.Second}, Reason: scale.AboveTarget,
		Steps: []scale.Step{{Reason: scale.AboveTarget, Out: scale.Size{Replicas: 4}, Metric: &scale.MetricFacts{Name: "queue", Known: true, Value: 1500, Band: scale.Band{Low: 1000, High: 1000}}}},
	}
	// Two metrics of one name must not spoil the whole answer.
	d.Steps = append(d.Steps, d.Steps[0])
	all := []Workload{{Namespace: "shop", Name: "web", Decision: &d, Able: true}, {Namespace: "shop", Name: "new"}}
	registry, p := prometheus.NewRegistry(), NewProcess()
	registry.MustRegister(append(p.Collectors(), &Workloads{Each: func(yield func(Workload)) {
		for _, w := range all {
			yield(w)
		}
	}})...)
	p.Looked(time.Second, -time.Second)
	p.Decided(d)
	p.Changed(Applied)
	p.WroteStatus(nil)
	p.WroteHistory(nil)
	p.Asked("metrics.k8s.io", nil)
	p.SetPaused(true)
	got := gather(t, registry)
	for _, s := range List {
		if s.Name == APIRequests {
			continue
		}
		one, there := got[s.Name]
		if !there {
			t.Errorf("%s is not served", s.Name)
			continue
		}
		want := slices.Clone(s.Labels)
		slices.Sort(want)
		if !slices.Equal(one.labels, want) {
			t.Errorf("%s has the labels %v, want %v", s.Name, one.labels, want)
		}
	}
	if got[Value].value != 1.5 || got[Able].series != 2 {
		t.Errorf("the value is %v, %d workloads are able or not", got[Value].value, got[Able].series)
	}
	all = nil
	for name := range gather(t, registry) {
		if strings.HasPrefix(name, prefix) {
			t.Errorf("%s is still there without its object", name)
		}
	}
}
