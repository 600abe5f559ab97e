package inventory

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/observe/prometheus"
)

// known is a server that knows series by what a query holds; everything else is
// unknown to it.
func known(t *testing.T, series map[string]string) *Prometheus {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind, found := "matrix", ""
		if r.URL.Path == "/api/v1/query" {
			kind = "vector"
			for part, value := range series {
				if strings.Contains(r.FormValue("query"), part) {
					found = value
				}
			}
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":%q,"result":[%s]}}`, kind, found)
	}))
	t.Cleanup(server.Close)
	reader, err := prometheus.Open(prometheus.Server{Address: server.URL}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return &Prometheus{Reader: reader, Until: time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC), Length: 24 * time.Hour}
}

// anHPA is what kube-state-metrics says of an HPA of web.
func anHPA(least, most, target string) map[string]string {
	of := `"namespace":"shop","horizontalpodautoscaler":"web"`
	return map[string]string{
		"kube_deployment_spec_replicas": `{"metric":{"namespace":"shop","deployment":"web"},"value":[0,"3"]}`,
		"autoscaler_info":               `{"metric":{` + of + `,"scaletargetref_kind":"Deployment","scaletargetref_name":"web"},"value":[0,"1"]}`,
		"min_replicas":                  `{"metric":{` + of + `},"value":[0,"` + least + `"]}`,
		"max_replicas":                  `{"metric":{` + of + `},"value":[0,"` + most + `"]}`,
		"target_metric":                 `{"metric":{` + of + `,"metric_name":"cpu","metric_target_type":"utilization"},"value":[0,"` + target + `"]}`,
	}
}

const (
	containersKnown = `{"metric":{"container":"app"},"value":[0,"1"]},{"metric":{"container":"proxy"},"value":[0,"1"]}`
	bothRequest     = `{"metric":{"container":"app","resource":"cpu"},"value":[0,"0.5"]},{"metric":{"container":"proxy","resource":"cpu"},"value":[0,"0.1"]}`
	appRequests     = `{"metric":{"container":"app","resource":"cpu"},"value":[0,"0.5"]}`
)

// TestProblemsBySeries: what series tell is found without a cluster, and nothing is
// made of what they do not tell.
func TestProblemsBySeries(t *testing.T) {
	for name, c := range map[string]struct {
		series map[string]string
		also   map[string]string
		want   []string
	}{
		"nothing wrong": {anHPA("2", "9", "60"), map[string]string{"container_info": containersKnown, "resource_requests": bothRequest}, nil},
		"pinned":        {anHPA("9", "9", "60"), nil, []string{"TM011"}},
		"a sidecar without a request": {
			anHPA("2", "9", "60"), map[string]string{"container_info": containersKnown, "resource_requests": appRequests}, []string{"TM040"},
		},
		"no limit can be reached": {
			anHPA("2", "9", "100"),
			map[string]string{"container_info": containersKnown, "resource_requests": bothRequest, "resource_limits": bothRequest},
			[]string{"TM050"},
		},
		"requests are not known": {anHPA("2", "9", "60"), map[string]string{"container_info": containersKnown}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			maps.Copy(c.series, c.also)
			p := known(t, c.series)
			all, err := p.Workloads(t.Context())
			if err != nil || len(all) != 1 {
				t.Fatalf("%+v, %v", all, err)
			}
			past, err := p.Past(t.Context(), all[0])
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, problem := range past.Problems {
				rule, _, _ := strings.Cut(problem, " ")
				got = append(got, rule)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%v (-want +got)\n%s", past.Problems, diff)
			}
		})
	}
}
