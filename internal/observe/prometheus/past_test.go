package prometheus

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

var web = Workload{Namespace: "shop", Kind: "Deployment", Name: "web", Containers: []scale.Container{{Name: "app"}, {Name: "proxy"}}}

func TestQueries(t *testing.T) {
	for name, tt := range map[string]struct {
		workload Workload
		template string
		want     string
	}{
		"the default of a kind": {web, "", `max(kube_deployment_status_replicas_available{namespace="shop",deployment="web"})`},
		"the administrator's":   {web, `ready{ns="$namespace",w="$kind/$name"}`, `ready{ns="shop",w="Deployment/web"}`},
	} {
		got, err := tt.workload.query(tt.template, defaultReplicas)
		if err != nil || got != tt.want {
			t.Errorf("%s: got %s, %v; want %s", name, got, err, tt.want)
		}
	}
	for name, bad := range map[string]Workload{
		"a kind without a default": {Namespace: "shop", Kind: "Rollout", Name: "web"},
		"a name that ends strings": {Namespace: "shop", Kind: "Deployment", Name: `web"} or vector(1) #`},
	} {
		if got, err := bad.query("", defaultReplicas); err == nil {
			t.Errorf("%s: got %s, want an error", name, got)
		}
	}
}

// rangeServer answers range queries with 4 ready pods and 2 cores of app, in
// the last so many points of each range.
type rangeServer struct {
	mu     sync.Mutex
	points int64
	spans  []string
}

func (s *rangeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start, _ := strconv.ParseInt(r.FormValue("start"), 10, 64)
	end, _ := strconv.ParseInt(r.FormValue("end"), 10, 64)
	s.mu.Lock()
	defer s.mu.Unlock()
	isUsage := strings.Contains(r.FormValue("query"), "container_cpu")
	if !isUsage {
		s.spans = append(s.spans, fmt.Sprint((end-start)/60+1, " points until ", time.Unix(end, 0).UTC().Format(time.RFC3339)))
	}
	value, labels := "4", `{}`
	if isUsage {
		value, labels = "2", `{"container":"app"}`
	}
	var values []string
	for at := end - 60*(s.points-1); at <= end; at += 60 {
		values = append(values, fmt.Sprintf(`[%d,"%s"]`, at, value))
	}
	fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":%s,"values":[%s]}]}}`, labels, strings.Join(values, ","))
}

// whole asks for all pieces of the past.
func whole(c *Client, until time.Time, weeks int) (Past, error) {
	out := Past{Usage: map[string][]trace.Point{}}
	for _, piece := range Pieces(until, weeks) {
		past, err := c.Past(context.Background(), web, piece)
		if err != nil {
			return Past{}, err
		}
		out.Ready = append(out.Ready, past.Ready...)
		for name, used := range past.Usage {
			out.Usage[name] = append(out.Usage[name], used...)
		}
	}
	return out, nil
}

func TestPastIsAskedInPieces(t *testing.T) {
	s := &rangeServer{points: 2}
	got, err := whole(newClient(t, s.ServeHTTP), monday.Add(20*time.Second), 2)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"10800 points until 2025-12-29T21:59:00Z", "9360 points until 2026-01-05T09:59:00Z"}, s.spans); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
	second := 9360 * time.Minute // how long the second piece is
	at := func(value scale.Amount) []trace.Point {
		var out []trace.Point
		for _, before := range []time.Duration{second + 2*time.Minute, second + time.Minute, 2 * time.Minute, time.Minute} {
			out = append(out, trace.Point{At: monday.Add(-before), Value: value})
		}
		return out
	}
	if diff := cmp.Diff(Past{Ready: at(4000), Usage: map[string][]trace.Point{"app": at(2000)}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAPastNobodyKnowsIsEmpty(t *testing.T) {
	for name, result := range map[string]string{"no series": ``, "only gaps": `{"metric":{"container":"app"},"values":[[1767607200,"NaN"]]}`} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, answering(`{"status":"success","data":{"resultType":"matrix","result":[`+result+`]}}`))
			got, err := whole(c, monday, 4)
			if err != nil || !got.Empty() {
				t.Errorf("got %v, %v; want nothing", got, err)
			}
		})
	}
}

func TestABrokenPastIsAnError(t *testing.T) {
	for name, text := range map[string]string{
		"a vector": vector(), "not JSON": `[`, "a broken series": `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1]]}]}}`,
	} {
		if got, err := whole(newClient(t, answering(text)), monday, 1); err == nil {
			t.Errorf("%s: got %v, want an error", name, got)
		}
	}
}

func newLearner(t *testing.T) *learner.Learner {
	t.Helper()
	spec := v1alpha1.WorkloadAutoscalerSpec{
		Learn:   &v1alpha1.Learn{Headroom: &v1alpha1.Headroom{}},
		Metrics: []v1alpha1.MetricSpec{{Type: v1alpha1.ResourceMetricType, Resource: &v1alpha1.ResourceMetric{Name: "cpu"}}},
	}
	p, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	plan, ok := learner.PlanOf(spec, p)
	if !ok {
		t.Fatal("the spec learns nothing")
	}
	l, err := learner.New(plan)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// pastOf makes minutes of ready pods and of cores.
func pastOf(minutes int, ready, cores scale.Amount) Past {
	out := Past{Usage: map[string][]trace.Point{}}
	for i := range minutes {
		at := monday.Add(time.Duration(i-minutes) * time.Minute)
		out.Ready = append(out.Ready, trace.Point{At: at, Value: ready})
		out.Usage["app"] = append(out.Usage["app"], trace.Point{At: at, Value: cores})
	}
	return out
}

func TestTeach(t *testing.T) {
	l := newLearner(t)
	pastOf(8*24*60, 4000, 2000).Teach(l, []scale.Container{{Name: "app"}})
	if got, known := l.History.Slots.Value(monday); !known || got != 4 {
		t.Errorf("the slot of the moment is %d, %t; want 4 pods", got, known)
	}
	// Two cores over four pods are half a core each; the histogram's buckets
	// are about 5 % wide.
	used, known := l.History.Usage.Percentile("app", scale.CPU, scale.Parts/2)
	if !known || used < 500 || used > 530 {
		t.Errorf("half of the samples do not exceed %d, %t; want about 500", used, known)
	}
	if l.History.Growth.Reactions() == 0 {
		t.Error("growth has learned nothing")
	}
}

func TestSaturatedUsageTeachesNoGrowth(t *testing.T) {
	l := newLearner(t)
	limited := scale.Container{Name: "app", Limits: scale.Resources{}.With(scale.CPU, 500)}
	pastOf(600, 4000, 2000).Teach(l, []scale.Container{limited})
	if got := l.History.Growth.Reactions(); got != 0 {
		t.Errorf("growth has learned from %d reactions of pods at their limit", got)
	}
}

func TestAnUnknownContainerTeachesNoGrowth(t *testing.T) {
	l := newLearner(t)
	pastOf(600, 4000, 2000).Teach(l, []scale.Container{{Name: "app"}, {Name: "proxy"}})
	if got := l.History.Growth.Reactions(); got != 0 {
		t.Errorf("growth has learned %d reactions, though the proxy's part is unknown", got)
	}
	Past{}.Teach(l, nil)
}
