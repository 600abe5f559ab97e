package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

func at(seconds ...int) []time.Time {
	out := make([]time.Time, len(seconds))
	for i, s := range seconds {
		out[i] = noon.Add(time.Duration(s) * time.Second)
	}
	return out
}

func TestQuantiles(t *testing.T) {
	before := []bucket{{1, 5}, {2, 5}, {4, 5}, {math.Inf(1), 5}}
	for name, tt := range map[string]struct {
		after []bucket
		want  quantiles
	}{
		"nothing was counted":     {before, quantiles{}},
		"on a line in the bucket": {[]bucket{{1, 5}, {2, 105}, {4, 105}, {math.Inf(1), 105}}, quantiles{P50: 1.5, P99: 1.99}},
		"in the first bucket":     {[]bucket{{1, 105}, {2, 105}, {4, 105}, {math.Inf(1), 105}}, quantiles{P50: 0.5, P99: 0.99}},
		"beyond the last bound":   {[]bucket{{1, 55}, {2, 85}, {4, 85}, {math.Inf(1), 105}}, quantiles{P50: 1, P99: 4, LeastP99: true}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, between(before, tt.after)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if diff := cmp.Diff(quantiles{}, between(nil, nil)); diff != "" {
		t.Errorf("without a histogram (-want +got):\n%s", diff)
	}
}

func TestLateness(t *testing.T) {
	minute := span{noon, noon.Add(time.Minute)}
	for name, tt := range map[string]struct {
		looks   map[string][]time.Time
		objects int
		want    quantiles
	}{
		"every period":                  {map[string][]time.Time{"a": at(0, 15, 30, 45)}, 1, quantiles{}},
		"in any order":                  {map[string][]time.Time{"a": at(45, 0, 30, 15)}, 1, quantiles{}},
		"five seconds late":             {map[string][]time.Time{"a": at(10, 30, 50)}, 1, quantiles{P50: 5, P99: 5}},
		"never looked at":               {nil, 1, quantiles{P50: 45, P99: 45, LeastP50: true, LeastP99: true}},
		"overdue when it ends":          {map[string][]time.Time{"a": at(20)}, 1, quantiles{P50: 25, P99: 25, LeastP50: true, LeastP99: true}},
		"one of two is never looked at": {map[string][]time.Time{"a": at(5, 22, 50)}, 2, quantiles{P50: 13, P99: 45, LeastP99: true}},
		"nothing to look at":            {nil, 0, quantiles{}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, lateness(tt.looks, tt.objects, minute)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

const auditLog = `
{"verb":"get","requestURI":"/x","user":{"username":"hpa"},"objectRef":{"resource":"deployments","namespace":"n","name":"web","apiGroup":"apps","subresource":"scale"},"requestReceivedTimestamp":"2026-01-05T12:00:00.000000Z"}
{"verb":"list","requestURI":"/x","user":{"username":"hpa"},"objectRef":{"resource":"pods","namespace":"n","apiGroup":"metrics.k8s.io"},"requestReceivedTimestamp":"2026-01-05T12:00:01.000000Z"}
{"verb":"get","requestURI":"/apis?timeout=1s","user":{"username":"hpa"},"requestReceivedTimestamp":"2026-01-05T12:00:02.000000Z"}
{"verb":"update","requestURI":"/x","user":{"username":"hpa"},"objectRef":{"resource":"deployments","namespace":"n","name":"web","apiGroup":"apps","subresource":"scale"},"requestReceivedTimestamp":"2026-01-05T12:00:02.000000Z"}
{"verb":"list","requestURI":"/x","user":{"username":"other"},"objectRef":{"resource":"pods"},"requestReceivedTimestamp":"2026-01-05T12:00:03.000000Z"}
{"verb":"list","requestURI":"/x","user":{"username":"hpa"},"objectRef":{"resource":"pods"},"requestReceivedTimestamp":"2026-01-05T12:01:00.000000Z"}
{"verb":"list","requestURI"`

// TestAudit: what others asked for, and what was asked for later, does not count,
// and the last entry may not be whole yet.
func TestAudit(t *testing.T) {
	got, err := parseAudit(strings.NewReader(auditLog), "hpa", span{noon, noon.Add(time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	want := asked{
		requests: map[string]int{"get deployments.apps/scale": 1, "update deployments.apps/scale": 1, "list pods.metrics.k8s.io": 1, "get /apis": 1},
		looks:    map[string][]time.Time{"n/web": at(0)},
		scaled:   map[string][]time.Time{"n/web": at(2)},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(asked{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.total() != 4 {
		t.Errorf("%d requests in all, want 4", got.total())
	}
	if _, err := parseAudit(strings.NewReader("no log"), "hpa", span{}); err == nil {
		t.Error("anything is taken for an audit log")
	}
}

// TestWoken: of each workload the first write counts, and all have to be there.
func TestWoken(t *testing.T) {
	scaled := map[string][]time.Time{}
	for i := range 200 {
		scaled[fmt.Sprint("n/web-", i)] = []time.Time{noon.Add(time.Hour), noon.Add(time.Duration(i+1) * time.Second)}
	}
	got := woken{Objects: 200}
	if err := got.read(asked{scaled: scaled}, noon); err != nil {
		t.Fatal(err)
	}
	if want := (woken{Objects: 200, First: 1, Half: 100, P99: 198, Last: 200}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if err := (&woken{Objects: 201}).read(asked{scaled: scaled}, noon); err == nil {
		t.Error("one that nobody woke is not missed")
	}
}

func TestUsed(t *testing.T) {
	stat := "42 (a (b) c) S 1 42 42 0 -1 4194304 100 0 0 0 150 50 0 0 20 0 9 0 100 1 1"
	got, err := parseUsed(stat, "Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n")
	want := resources{CPU: 2 * time.Second, Memory: 1 << 20, Peak: 2 << 20}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := parseUsed("42 (x) S", ""); err == nil {
		t.Error("a short line is taken")
	}
}

func TestScrape(t *testing.T) {
	got, err := parse(strings.NewReader(`# TYPE c counter
c{a="1"} 2
c{a="2"} 3
# TYPE h histogram
h_bucket{name="x",le="1"} 4
h_bucket{name="x",le="+Inf"} 6
h_sum{name="x"} 9
h_count{name="x"} 6
`))
	if err != nil {
		t.Fatal(err)
	}
	if got.sum("c") != 5 || got.sum("d") != 0 {
		t.Errorf("the sums are %v and %v", got.sum("c"), got.sum("d"))
	}
	want := []bucket{{1, 4}, {math.Inf(1), 6}}
	if diff := cmp.Diff(want, got.together("h", "x"), cmp.AllowUnexported(bucket{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.together("h", "y") != nil {
		t.Error("another queue's histogram is taken")
	}
}

func TestMarkdown(t *testing.T) {
	got := markdown([]result{{
		Objects: 100, Side: "HPA", Seconds: 60, Looks: 1, Requests: 2.5, Served: 2.6, CPU: 0.5, CPUEach: 1.25, ServerCPU: 3, Memory: 170 << 20, Peak: 180 << 20,
		Late: quantiles{P50: 0.0171, P99: 45, LeastP99: true}, Queued: quantiles{P50: 0.00006, P99: 1.234},
		First: 2, All: 3.5, Scrape: 40, ScrapeBytes: 3 << 20, ByKind: map[string]int{"get b": 1, "list a": 7, "get a": 1},
	}})
	for _, want := range []string{
		"| 100 | HPA | 1.00 | 2.500 | 2.600 | 0.50 | 1.25 | 3.00 | 170 | 180 | 17.1ms | ≥ 45s | 60µs | 1.23s | 2s | 3.5s | 40 | 3.0 |\n",
		"- 100 objects, HPA, in 60 s: 7 list a, 1 get a, 1 get b\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
}

func TestUsage(t *testing.T) {
	good := options{pods: 1, perNamespace: 1, periods: 1, resource: "cpu", output: "json"}
	sizes, err := good.validate([]string{"100", "5000"})
	if diff := cmp.Diff([]int{100, 5000}, sizes); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	loud, disk, still := good, good, good
	loud.output, disk.resource, still.periods = "loud", "disk", 0
	for name, tt := range map[string]struct {
		options options
		args    []string
	}{
		"no number":  {good, nil},
		"a word":     {good, []string{"many"}},
		"none":       {good, []string{"0"}},
		"a format":   {loud, []string{"100"}},
		"a resource": {disk, []string{"100"}},
		"no periods": {still, []string{"100"}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := tt.options.validate(tt.args); !errors.Is(err, errUsage) {
				t.Errorf("%s: got %v", name, err)
			}
		})
	}
}

func TestFleet(t *testing.T) {
	f := fleet{objects: 250, pods: 1, perNamespace: 100}
	if f.namespaces() != 3 {
		t.Errorf("%d namespaces", f.namespaces())
	}
	if got := f.key(249).String(); got != "bench-002/web-0249" {
		t.Errorf("the last is %s", got)
	}
}
