package metrics

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/podsum"
	"github.com/tidemark/tidemark/internal/shard"
	"github.com/tidemark/tidemark/scale"
)

var names = regexp.MustCompile(`\b(tidemark_[a-z_]+|rest_client_[a-z_]+|apiserver_[a-z_]+)\b`)

// known are the names that a query may use: a histogram has three.
func known() map[string]bool {
	out := map[string]bool{failOpen: true}
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

// wpaNames are the names of the Watermark KEP's text and graphs, and of the
// controller that was made of it.
var wpaNames = []string{
	"value", "low_watermark", "high_watermark", "low_watermak", "high_watermak", "replicas_scaling_proposal", "replicas_scaling_effective",
	"restricted_scaling", "transition_countdown", "min_replicas", "max_replicas", "upscale_replicas_total", "downscale_replicas_total",
	"dry_run", "scaling_active", "conditions", "lifecycle_control_status", "labels_info",
}

// TestEveryNameOfTheWPAHasARow, and the row names a series that there is, or says
// why there is none. A reason is one that has a series.
func TestEveryNameOfTheWPAHasARow(t *testing.T) {
	rows, all := map[string]bool{}, known()
	reason := regexp.MustCompile(`reason="([A-Za-z]+)"`)
	for _, e := range FromWPA {
		name, _, _ := strings.Cut(e.Theirs, "{")
		rows[name] = true
		ours, _, _ := strings.Cut(e.Ours, "{")
		if ours != "" && !all[ours] || ours == "" && e.Note == "" {
			t.Errorf("%s is to be %q, which does not exist, and nothing says why", e.Theirs, e.Ours)
		}
		if found := reason.FindStringSubmatch(e.Ours); found != nil && !slices.Contains(explain.RestrictingReasons, scale.Reason(found[1])) {
			t.Errorf("%s: there is no series for %s", e.Theirs, found[1])
		}
	}
	for _, name := range wpaNames {
		if !rows[name] {
			t.Errorf("nothing says what %s is here", name)
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

// ask asks as Prometheus does.
func ask(t *testing.T, handler http.Handler) map[string]served {
	t.Helper()
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if answer.Code != http.StatusOK {
		t.Fatalf("%d: %s", answer.Code, answer.Body)
	}
	format := expfmt.ResponseFormat(answer.Header())
	if format.FormatType() != expfmt.TypeTextPlain {
		t.Errorf("the answer is %q", format)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]served{}
	for name, f := range families {
		first := f.GetMetric()[0]
		one := served{series: len(f.GetMetric()), value: first.GetGauge().GetValue()}
		for _, l := range first.GetLabel() {
			one.labels = append(one.labels, l.GetName())
		}
		slices.Sort(one.labels)
		out[name] = one
	}
	return out
}

// TestEverySeriesIsServed: what the list promises is there, with its labels.
func TestEverySeriesIsServed(t *testing.T) {
	d := scale.Decision{
		Want:      scale.Size{Replicas: 4, Containers: []scale.Container{{Requests: scale.Resources{}.With(scale.CPU, 250).With(scale.Memory, 1<<30*1000)}}},
		Countdown: scale.Countdown{Up: time.Second}, Reason: scale.AboveTarget,
		Steps: []scale.Step{{Reason: scale.AboveTarget, Out: scale.Size{Replicas: 4},
			Metric: &scale.MetricFacts{Name: "queue", Known: true, Value: 1500, Band: scale.Band{Low: 1000, High: 1000}}}},
	}
	// Two goals for one metric must not spoil the whole answer. Metrics that
	// differ in what they are measured of are series of their own.
	d.Steps = append(d.Steps, d.Steps[0])
	for _, of := range []scale.MetricSource{{Selector: "queue=a"}, {Selector: "queue=b"}, {Container: "app"}, {Object: "Service/front"}} {
		other := *d.Steps[0].Metric
		other.Of = of
		d.Steps = append(d.Steps, scale.Step{Reason: scale.AboveTarget, Out: scale.Size{Replicas: 4}, Metric: &other})
	}
	all := []Workload{
		{Namespace: "shop", Name: "web", Decision: &d, Able: true, Held: []scale.Reason{scale.MaxReplicas}, Room: &scale.Room{Share: 250},
			Pods: podsum.Sum{Known: true, Ready: 3, Measured: true, Used: 1500}},
		{Namespace: "shop", Name: "new"},
	}
	registry, p := prometheus.NewRegistry(), NewProcess()
	registry.MustRegister(append(p.Collectors(), OverdueBy(func() time.Duration { return time.Minute }))...)
	registry.MustRegister(LeadBy(shard.Shard{Index: 1, Of: 2}, func() bool { return true })...)
	registry.MustRegister(BoostedBy(func() (int, int) { return 3, 1 })...)
	handler := (&Workloads{All: func() []Workload { return all }}).Handler(registry)
	p.ObserveLook(time.Second, -time.Second)
	p.CountDecision(d)
	p.CountChange(Applied)
	p.WroteStatus(nil)
	p.WroteHistory(nil)
	p.CountRequest("metrics.k8s.io", nil)
	p.ObserveUsageAge("kubelet", time.Second)
	p.SetPaused(true)
	got := ask(t, handler)
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
	if n := got[Value].series; n != 5 {
		t.Errorf("there are %d values, want one for each thing that is measured", n)
	}
	if got[Room].value != 0.25 || got[Room].series != 1 {
		t.Errorf("the room is %v, of %d workloads", got[Room].value, got[Room].series)
	}
	if got[Usage].value != 1.5 || got[ReadyPods].value != 3 || got[PodCores].value != 0.25 || got[PodBytes].value != 1<<30 {
		t.Errorf("the pods are %v", got)
	}
	if got[Value].value != 1.5 || got[Able].series != 2 {
		t.Errorf("the value is %v, %d workloads are able or not", got[Value].value, got[Able].series)
	}
	if got[Restricted].series != 1 || got[Restricted].value != 0 {
		t.Errorf("%d reasons have a series, and the first is %v, want the one that held the workload before at 0", got[Restricted].series, got[Restricted].value)
	}
	all = nil
	for name := range ask(t, handler) {
		if strings.HasPrefix(name, prefix) {
			t.Errorf("%s is still there without its object", name)
		}
	}
}

// TestNamesCannotBreakTheFormat: whatever a selector or a metric is called, it is
// read as it was, and nothing after it is lost.
func TestNamesCannotBreakTheFormat(t *testing.T) {
	const odd = "a\"b\\c\nd} 1"
	d := scale.Decision{Steps: []scale.Step{{Metric: &scale.MetricFacts{Name: odd, Known: true, Value: 1, Of: scale.MetricSource{Selector: odd}}}}}
	w := &Workloads{All: func() []Workload { return []Workload{{Namespace: "shop", Name: "web", Decision: &d}} }}
	var text strings.Builder
	if err := w.Write(&text); err != nil {
		t.Fatal(err)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, l := range families[Value].GetMetric()[0].GetLabel() {
		if l.GetName() == "metric_name" || l.GetName() == "selector" {
			if seen++; l.GetValue() != odd {
				t.Errorf("%s is %q, want %q", l.GetName(), l.GetValue(), odd)
			}
		}
	}
	if seen != 2 || families[NotAtSize] == nil {
		t.Errorf("%d of the labels came, in %d families", seen, len(families))
	}
}

// TestAScrapeHasNothingOfTheOneBefore: the memory of a scrape is used again, and what
// is gone since is not in it.
func TestAScrapeHasNothingOfTheOneBefore(t *testing.T) {
	decided := func(metric string) *scale.Decision {
		return &scale.Decision{Steps: []scale.Step{{Metric: &scale.MetricFacts{Name: metric, Known: true, Value: 1}}}}
	}
	web, gone := Workload{Namespace: "shop", Name: "web", Decision: decided("cpu")}, Workload{Namespace: "shop", Name: "gone", Decision: decided("queue")}
	written := func(all ...Workload) string {
		var out strings.Builder
		if err := (&Workloads{All: func() []Workload { return all }}).Write(&out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	alone := written(web)
	for range 3 { // whose memory it is depends on the processor
		written(gone, web, gone)
		if got := written(web); got != alone {
			t.Fatalf("after another scrape it is\n%s\nwant\n%s", got, alone)
		}
	}
	if strings.Contains(alone, "gone") || !strings.Contains(alone, `metric_name="cpu"`) {
		t.Error(alone)
	}
}

// ten thousand workloads at rest, each with one metric.
func tenThousand() *Workloads {
	all := make([]Workload, 10_000)
	for i := range all {
		all[i] = Workload{
			Namespace: fmt.Sprintf("team-%03d", i/100), Name: fmt.Sprintf("web-%05d", i), Able: true, Active: true,
			Held: []scale.Reason{scale.WithinTolerance, scale.Stabilized},
			Decision: &scale.Decision{
				From: scale.Size{Replicas: 3}, Want: scale.Size{Replicas: 3}, Reason: scale.WithinTolerance, Bounds: scale.Bounds{Min: 1, Max: 10},
				Steps: []scale.Step{{Reason: scale.WithinTolerance, Out: scale.Size{Replicas: 3}, Metric: &scale.MetricFacts{
					Name: "cpu", Type: scale.Utilization, Known: true, Value: scale.Amount(50_000 + i), Band: scale.Band{Low: 50_000, High: 50_000},
				}}},
			},
		}
	}
	return &Workloads{All: func() []Workload { return slices.Clone(all) }}
}

// BenchmarkTenThousandWorkloads is what the processor does for one scrape.
func BenchmarkTenThousandWorkloads(b *testing.B) {
	workloads := tenThousand()
	b.ReportAllocs()
	for b.Loop() {
		if err := workloads.Write(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
