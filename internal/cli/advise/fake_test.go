package advise

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// fake is a Prometheus that knows web, which uses two cores with twenty pods and
// has an HPA, and the StatefulSet db, of which it knows no usage.
type fake struct {
	sync.Mutex
	queries []string
	// before, where it is set, is told each query before it is answered.
	before func(query string)
	// under is how many are answered now, most how many were at once.
	under, most int
}

// instants and ranges are the answers, by what a query begins with or holds.
var instants = []struct{ part, series string }{
	{"kube_deployment_spec_replicas", `{"metric":{"namespace":"shop","deployment":"web"},"value":[0,"20"]}`},
	{"kube_statefulset_replicas", `{"metric":{"namespace":"shop","statefulset":"db"},"value":[0,"3"]}`},
	{"autoscaler_info", `{"metric":{"namespace":"shop","horizontalpodautoscaler":"web-hpa","scaletargetref_kind":"Deployment","scaletargetref_name":"web"},"value":[0,"1"]}`},
	{"min_replicas", `{"metric":{"namespace":"shop","horizontalpodautoscaler":"web-hpa"},"value":[0,"2"]}`},
	{"max_replicas", `{"metric":{"namespace":"shop","horizontalpodautoscaler":"web-hpa"},"value":[0,"30"]}`},
	{"target_metric", `{"metric":{"namespace":"shop","horizontalpodautoscaler":"web-hpa","metric_name":"cpu","metric_target_type":"utilization"},"value":[0,"60"]}`},
	{"OOMKilled", `{"metric":{},"value":[0,"2"]}`},
}

var ranges = []struct{ part, value string }{
	{`container_cpu_usage_seconds_total{namespace="shop",pod=~"web-[a-z0-9]+-[a-z0-9]{5}",`, "2"},
	{`kube_deployment_spec_replicas{namespace="shop",deployment="web"`, "20"},
	{`resource_limits`, ""},
	{`resource="memory"`, "1073741824"},
	{`avg(sum by (pod) (max by (pod, container) (kube_pod_container_resource_requests{namespace="shop",pod=~"web-[a-z0-9]+-[a-z0-9]{5}",`, "1"},
	{`kube_pod_status_ready_time`, "40"},
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	query := r.Form.Get("query")
	f.Lock()
	f.queries = append(f.queries, query)
	f.under++
	f.most = max(f.most, f.under)
	f.Unlock()
	defer func() {
		f.Lock()
		f.under--
		f.Unlock()
	}()
	if f.before != nil {
		f.before(query)
	}
	if r.URL.Path == "/api/v1/query" {
		answer := ""
		for _, i := range instants {
			if strings.Contains(query, i.part) && answer == "" {
				answer = i.series
			}
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[%s]}}`, answer)
		return
	}
	f.during(w, r, query)
}

// during answers with a value that does not change.
func (f *fake) during(w http.ResponseWriter, r *http.Request, query string) {
	var values []string
	for _, known := range ranges {
		if !strings.Contains(query, known.part) {
			continue
		}
		if known.value != "" {
			number := func(name string) int64 { n, _ := strconv.ParseInt(r.Form.Get(name), 10, 64); return n }
			for at := number("start"); at <= number("end"); at += number("step") {
				values = append(values, fmt.Sprintf(`[%d,%q]`, at, known.value))
			}
		}
		break
	}
	series := ""
	if len(values) > 0 {
		series = fmt.Sprintf(`{"metric":{},"values":[%s]}`, strings.Join(values, ","))
	}
	fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[%s]}}`, series)
}

func serve(t *testing.T, f *fake) string {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return server.URL
}
