package prometheus

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/prometheus/promql/parser"
	clocktesting "k8s.io/utils/clock/testing"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

func TestRestricted(t *testing.T) {
	shop := map[string]string{"namespace": "shop"}
	for query, want := range map[string]string{
		`up`:                                               `up{namespace="shop"}`,
		`sum(rate(orders_total[2m]))`:                      `sum(rate(orders_total{namespace="shop"}[2m]))`,
		`up{namespace="bank"}`:                             `up{namespace="bank",namespace="shop"}`,
		`up{namespace=~".*"}`:                              `up{namespace="shop",namespace=~".*"}`,
		`{__name__=~".+"}`:                                 `{__name__=~".+",namespace="shop"}`,
		`a / on(x) group_left b offset 5m`:                 `a{namespace="shop"} / on (x) group_left () b{namespace="shop"} offset 5m`,
		`max_over_time(sum(a)[1h:5m] @ end())`:             `max_over_time(sum(a{namespace="shop"})[1h:5m] @ end())`,
		`topk(scalar(k), a) or vector(0)`:                  `topk(scalar(k{namespace="shop"}), a{namespace="shop"}) or vector(0)`,
		`label_replace(a, "namespace", "shop", "x", ".*")`: `label_replace(a{namespace="shop"}, "namespace", "shop", "x", ".*")`,
		`absent(a{x="}"})`:                                 `absent(a{namespace="shop",x="}"})`,
		`"up" # {namespace="bank"}`:                        `"up"`,
		`{"http.requests", x="y"}`:                         `{__name__="http.requests",namespace="shop",x="y"}`,
		`1`:                                                `1`,
	} {
		t.Run(query, func(t *testing.T) {
			got, err := Restricted(query, shop)
			if err != nil || got != want {
				t.Errorf("got %s, %v; want %s", got, err, want)
			}
		})
	}
	for _, query := range []string{`up{`, `up} or {namespace="bank"`, `info(up)`, `up; up`, ``} {
		t.Run("refused "+query, func(t *testing.T) {
			if got, err := Restricted(query, shop); err == nil || !strings.HasPrefix(err.Error(), "external.prometheus.query: ") {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
	if got, err := Restricted(`up{`, nil); err != nil || got != `up{` {
		t.Errorf("without matchers: got %s, %v; want the query as it is", got, err)
	}
}

// TestNoSelectorEscapes: however a query is put together, each of its selectors asks
// for the labels, also in the text that is sent.
func TestNoSelectorEscapes(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		query := anyQuery(t, 4)
		got, err := Restricted(query, map[string]string{"namespace": `shop"} or {a="b`, "tenant": "x"})
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		sent, err := dialect.ParseExpr(got)
		if err != nil {
			t.Fatalf("%s becomes %s: %v", query, got, err)
		}
		for s := range selectors(sent) {
			has := map[string]bool{}
			for _, m := range s.LabelMatchers {
				has[m.Name+m.Type.String()+m.Value] = true
			}
			if !has[`namespace=shop"} or {a="b`] || !has["tenant=x"] {
				t.Fatalf("%s becomes %s, in which %s is not restricted", query, got, s)
			}
		}
		if count(sent) != count(parsed(t, query)) {
			t.Fatalf("%s becomes %s, with other selectors", query, got)
		}
	})
}

func parsed(t *rapid.T, query string) parser.Expr {
	expr, err := dialect.ParseExpr(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return expr
}

func count(expr parser.Expr) int {
	n := 0
	for range selectors(expr) {
		n++
	}
	return n
}

// anyQuery is an instant vector, in parts that are such.
func anyQuery(t *rapid.T, depth int) string {
	if depth == 0 {
		return rapid.SampledFrom([]string{`a`, `b{x="y"}`, `{__name__="c",namespace=~"bank|.*"}`, `d{namespace!="shop"} offset 1h`, `e @ 100`, `vector(1)`}).Draw(t, "selector")
	}
	part := func() string { return anyQuery(t, depth-1) }
	switch rapid.IntRange(0, 8).Draw(t, "form") {
	case 0:
		return "sum by (x) (" + part() + ")"
	case 1:
		return "(" + part() + ") + on (x) group_left (y) (" + part() + ")"
	case 2:
		return "(" + part() + ") or (" + part() + ")"
	case 3:
		return "max_over_time((" + part() + ")[1h:1m])"
	case 4:
		return "-(" + part() + ")"
	case 5:
		return "topk(scalar(" + part() + "), " + part() + ")"
	case 6:
		return `label_replace(` + part() + `, "namespace", "bank", "x", "(.*)")`
	case 7:
		return "rate(f[5m]) > bool (" + part() + ")"
	}
	return part()
}

// seenBy starts a server and a client of it, and returns what it was asked last.
func seenBy(t *testing.T, change func(*v1alpha1.PrometheusSettings), answer string) (*Client, func() (query string, headers http.Header)) {
	t.Helper()
	var query string
	var headers http.Header
	c := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		query, headers = r.FormValue("query"), r.Header
		_, _ = w.Write([]byte(answer))
	})
	change(&c.settings)
	return c, func() (string, http.Header) { return query, headers }
}

const nothing = `{"status":"success","data":{"resultType":"vector","result":[]}}`

// TestATenantReadsItsOwn by what the administrator has the server asked with.
func TestATenantReadsItsOwn(t *testing.T) {
	c, seen := seenBy(t, func(s *v1alpha1.PrometheusSettings) {
		s.Headers, s.Matchers = map[string]string{"x-scope-orgid": "k8s-$namespace"}, map[string]string{"namespace": "$namespace"}
	}, nothing)
	if _, err := c.Sample(t.Context(), "shop", &v1alpha1.PrometheusQuery{Query: `sum(up{namespace="bank"})`}, time.Second); err != nil {
		t.Fatal(err)
	}
	query, headers := seen()
	if want := `sum(up{namespace="bank",namespace="shop"})`; query != want || headers.Get("X-Scope-OrgID") != "k8s-shop" {
		t.Errorf("asked %s for %q; want %s for k8s-shop", query, headers.Get("X-Scope-OrgID"), want)
	}
}

// TestAQueryForAnotherTenant is not asked: the answer would be about something else, and
// none at all would count as 0 where the object says so.
func TestAQueryForAnotherTenant(t *testing.T) {
	for name, tt := range map[string]struct {
		query v1alpha1.PrometheusQuery
		want  string
	}{
		"the same":         {v1alpha1.PrometheusQuery{Headers: map[string]string{"X-Scope-OrgID": "k8s-shop"}, Matchers: map[string]string{"namespace": "shop"}}, ""},
		"another header":   {v1alpha1.PrometheusQuery{Headers: map[string]string{"X-Scope-OrgID": "k8s-bank"}}, "external.prometheus.headers: X-Scope-OrgID is not what the administrator sends"},
		"one more header":  {v1alpha1.PrometheusQuery{Headers: map[string]string{"X-Tenant": "shop"}}, "external.prometheus.headers: X-Tenant is not"},
		"an empty header":  {v1alpha1.PrometheusQuery{Headers: map[string]string{"X-Tenant": ""}}, "external.prometheus.headers: X-Tenant is not"},
		"another matcher":  {v1alpha1.PrometheusQuery{Matchers: map[string]string{"namespace": "bank"}}, "external.prometheus.matchers: namespace is not what the administrator restricts"},
		"one more matcher": {v1alpha1.PrometheusQuery{Matchers: map[string]string{"pod": ""}}, "external.prometheus.matchers: pod is not"},
	} {
		t.Run(name, func(t *testing.T) {
			c, seen := seenBy(t, func(s *v1alpha1.PrometheusSettings) {
				s.Headers, s.Matchers = map[string]string{"x-scope-orgid": "k8s-$namespace"}, map[string]string{"namespace": "$namespace"}
			}, nothing)
			tt.query.Query, tt.query.IgnoreNullValues = "up", true
			got, err := c.Sample(t.Context(), "shop", &tt.query, time.Second)
			asked, _ := seen()
			if tt.want == "" {
				if err != nil || asked == "" || len(got.Series) != 1 {
					t.Errorf("want it asked, got %+v, %v", got, err)
				}
				return
			}
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) || asked != "" || len(got.Series) != 0 || strings.Contains(err.Error(), "k8s-shop") {
				t.Errorf("want %q, nothing asked, and no word of what the administrator has, got %v, %q", tt.want, err, asked)
			}
		})
	}
}

func TestAResultWithoutSeries(t *testing.T) {
	c, _ := seenBy(t, func(*v1alpha1.PrometheusSettings) {}, nothing)
	for name, tt := range map[string]struct {
		ignore bool
		want   []scale.Amount
	}{"is no sample": {false, nil}, "is zero where the object says so": {true, []scale.Amount{0}}} {
		t.Run(name, func(t *testing.T) {
			got, err := c.Sample(t.Context(), "shop", &v1alpha1.PrometheusQuery{Query: "up", IgnoreNullValues: tt.ignore}, time.Second)
			if diff := cmp.Diff(tt.want, got.Series); err != nil || diff != "" || got.At.IsZero() {
				t.Errorf("got %+v, %v (-want +got):\n%s", got, err, diff)
			}
		})
	}
}

func TestAnotherServersAddress(t *testing.T) {
	server := Server{Address: "http://Prometheus.monitoring:80/prom/"}
	c := &Client{connection: &connection{server: server}, answers: snapshot.New(snapshot.Config{Clock: clocktesting.NewFakePassiveClock(time.Now())})}
	for address, same := range map[string]bool{
		"": true, "http://prometheus.monitoring/prom": true, "http://prometheus.monitoring:80/prom/": true,
		"https://prometheus.monitoring/prom": false, "http://prometheus.monitoring:9090/prom": false, "http://prometheus.monitoring": false,
		"http://prometheus.other/prom": false, "nonsense": false, "http://user@prometheus.monitoring/prom": false,
	} {
		t.Run(address, func(t *testing.T) {
			if err := c.isAt(address); (err == nil) != same {
				t.Errorf("got %v, want the same server: %t", err, same)
			}
		})
	}
	_, err := c.Sample(t.Context(), "shop", &v1alpha1.PrometheusQuery{Query: "up", Address: "http://thanos:9090"}, time.Second)
	if err == nil || !strings.HasPrefix(err.Error(), `external.prometheus.address: "http://thanos:9090" is not the administrator's`) {
		t.Errorf("got %v", err)
	}
}

func TestTheServerOfANamespace(t *testing.T) {
	all := &v1alpha1.PrometheusSettings{Address: "http://all", TokenFile: "token", ReplicasQuery: "q", Tenants: []v1alpha1.PrometheusTenant{
		{Namespaces: []string{"shop", "team-*"}, Address: "http://shop", Matchers: map[string]string{"a": "b"}},
		{Namespaces: []string{"team-a"}, Address: "http://never"},
	}}
	for namespace, want := range map[string]string{
		"shop": "http://shop", "team-a": "http://shop", "team-": "http://shop", "shop2": "http://all", "team": "http://all",
	} {
		t.Run(namespace, func(t *testing.T) {
			got := SettingsOf(all, namespace)
			if got.Address != want || (got.TokenFile == "token") != (want == "http://all") || len(got.Tenants) > 0 || got.ReplicasQuery != "q" {
				t.Errorf("got %+v, want that of %s", got, want)
			}
		})
	}
}
