package prometheus

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

var monday = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)

func newStore() *snapshot.Store {
	return snapshot.New(snapshot.Config{Clock: clocktesting.NewFakePassiveClock(monday)})
}

func newClient(t *testing.T, h http.HandlerFunc) *Client {
	t.Helper()
	web := httptest.NewServer(h)
	t.Cleanup(web.Close)
	c, err := New(v1alpha1.PrometheusSettings{Address: web.URL + "/base"}, newStore())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func answering(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
}

func vector(values ...string) string {
	return `{"status":"success","data":{"resultType":"vector","result":[` + strings.Join(values, ",") + `]}}`
}

func TestSample(t *testing.T) {
	for name, tt := range map[string]struct {
		answer string
		want   scale.Sample
	}{
		"a scalar": {`{"status":"success","data":{"resultType":"scalar","result":[1767607200,"42.5"]}}`, scale.Sample{At: monday, Series: []scale.Amount{42500}}},
		"a vector is as old as its oldest": {vector(`{"metric":{"a":"1"},"value":[1767607200.5,"1"]}`, `{"metric":{"a":"2"},"value":[1767607200,"1.2e-3"]}`),
			scale.Sample{At: monday, Series: []scale.Amount{1000, 2}}},
		"no series":        {vector(), scale.Sample{At: monday}},
		"a negative value": {vector(`{"metric":{},"value":[1767607200,"-3"]}`), scale.Sample{At: monday, Series: []scale.Amount{-3000}}},
		"not a number": {vector(`{"metric":{},"value":[1767607200,"1"]}`, `{"metric":{},"value":[1767607200,"NaN"]}`),
			scale.Sample{At: monday, Problem: "the query's value is unusable: NaN is not a finite number"}},
		"infinite": {vector(`{"metric":{},"value":[1767607200,"+Inf"]}`), scale.Sample{At: monday, Problem: "the query's value is unusable: +Inf is not a finite number"}},
		"absurd": {vector(`{"metric":{},"value":[1767607200,"1e300"]}`),
			scale.Sample{At: monday, Problem: "the query's value is unusable: 1e300 is out of range: the largest quantity is about 9.2e15"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := newClient(t, answering(tt.answer)).Sample(t.Context(), "shop", &v1alpha1.PrometheusQuery{Query: "up"}, time.Second)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsNoAnswer(t *testing.T) {
	for name, tt := range map[string]struct{ answer, words string }{
		"a matrix":     {`{"status":"success","data":{"resultType":"matrix","result":[]}}`, "must be a scalar or an instant vector"},
		"a histogram":  {vector(`{"metric":{},"histogram":[1767607200,{}]}`), "histogram_quantile"},
		"an error":     {`{"status":"error","error":"too slow"}`, "too slow"},
		"not JSON":     {`no answer`, "reading Prometheus' answer"},
		"no sample":    {vector(`{"metric":{},"value":[1]}`), "a sample has 1 parts"},
		"a wild time":  {vector(`{"metric":{},"value":[1e99,"1"]}`), "the time 1e99"},
		"too large":    {`{"status":"` + strings.Repeat("x", maxInstant) + `"}`, "too large"},
		"a cut answer": {`{"status":"success","data":{"resultType":"vector","result":[`, "reading Prometheus' answer"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newClient(t, answering(tt.answer)).Sample(t.Context(), "shop", &v1alpha1.PrometheusQuery{Query: "up"}, time.Second)
			if err == nil || !strings.Contains(err.Error(), tt.words) {
				t.Errorf("got %v, want it to say %q", err, tt.words)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for code, tt := range map[int]struct {
		words  string
		outage bool
	}{
		400: {"refuses the query: parse error", false}, 422: {"refuses the query: parse error", false}, 403: {"check prometheus.tokenFile", false},
		404: {"check the path", false}, 503: {"answers 503", true}, 500: {"answers 500", true},
	} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			_, err := newClient(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(code)
				fmt.Fprint(w, `{"status":"error","error":"parse error"}`)
			}).Sample(t.Context(), "shop", &v1alpha1.PrometheusQuery{Query: "up"}, time.Second)
			if err == nil || !strings.Contains(err.Error(), tt.words) {
				t.Fatalf("got %v, want it to say %q", err, tt.words)
			}
			if outage := new(snapshot.Outage); errors.As(err, outage) != tt.outage {
				t.Errorf("an outage: %t, want %t", !tt.outage, tt.outage)
			}
		})
	}
}

// TestPages: what answers with a page is no Prometheus, whatever its code is, unless it
// may become one again.
func TestPages(t *testing.T) {
	for code, says := range map[int]string{
		200: "have the administrator check prometheus.address", 404: "a page of HTML", 405: "a page of HTML", 401: "check prometheus.tokenFile", 502: "answers 502",
	} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			_, err := newClient(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				w.WriteHeader(code)
				fmt.Fprint(w, "<!doctype html><title>Log in</title>")
			}).Sample(t.Context(), "shop", &v1alpha1.PrometheusQuery{Query: "up"}, time.Second)
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("got %v, want it to say %q", err, says)
			}
		})
	}
}

func TestEqualQueriesAreAskedOnceAndPosted(t *testing.T) {
	asked := 0
	c := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.Method != http.MethodPost || r.URL.Path != "/base/api/v1/query" || r.FormValue("query") != "up" || r.URL.RawQuery != "" {
			t.Errorf("asked by %s %s", r.Method, r.URL)
		}
		fmt.Fprint(w, vector())
	})
	for range 3 {
		if _, err := c.Sample(t.Context(), "shop", &v1alpha1.PrometheusQuery{Query: "up"}, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times, want once", asked)
	}
}

func FuzzReadInstant(f *testing.F) {
	f.Add(vector(`{"metric":{},"value":[1767607200,"1"]}`))
	f.Add(`{"status":"success","data":{"resultType":"scalar","result":[1,"NaN"]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := readInstant([]byte(text))
		if err != nil && (got.Series != nil || got.Problem != "") {
			t.Errorf("an error beside a sample: %v, %v", got, err)
		}
		if got.Problem != "" && got.Series != nil {
			t.Errorf("a problem beside values: %v", got)
		}
	})
}
