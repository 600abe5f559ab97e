package advise

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/scale"
)

// execute runs the verb and returns what it printed, and the exit code.
func execute(args ...string) (stdout, stderr string, code int) {
	return executeIn(context.Background(), args...)
}

func executeIn(ctx context.Context, args ...string) (stdout, stderr string, code int) {
	cmd := New()
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	var out, errs bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	code, untold := exit.Of(err)
	if untold {
		errs.WriteString(err.Error())
	}
	return out.String(), errs.String(), code
}

const until = "2026-02-02T00:00:00Z"

// TestByPrometheusAlone: what kube-state-metrics and cadvisor know is enough, and a
// workload without usage says so. The HPA of 60 % would hold four pods and there are
// twenty: the replay is far from what happened, and that is told.
func TestByPrometheusAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	f := &fake{}
	args := []string{
		"--prometheus", serve(t, f), "--until", until, "--quick", "-n", "shop", "--price-cpu", "0.5", "-o", "json",
		"--resume", "kept", "--write", "objects", "--report", "fleet.html",
	}
	out, stderr, code := execute(args...)
	if code != exit.OK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var got struct {
		Workloads []advise.Advice `json:"workloads"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Workloads) != 2 {
		t.Fatalf("%v: %s", err, out)
	}
	web, db := got.Workloads[0], got.Workloads[1]
	if web.Scaled != "HPA cpu 60%" || web.ReplayError == nil || *web.ReplayError < 0.7 || web.Sure != advise.Low ||
		web.OOMKills != 2 || web.RecordedReplicas != 20 {
		t.Errorf("web: %+v", web)
	}
	if apart := web.Now.Score.Money - web.Now.Score.BilledCoreHours/2; math.Abs(apart) > 1e-5 {
		t.Errorf("%v for %v core-hours", web.Now.Score.Money, web.Now.Score.BilledCoreHours)
	}
	if db.Verdict != advise.Unjudged || !strings.Contains(db.Says, "no cpu usage of its pods is known") {
		t.Errorf("db: %+v", db)
	}
	for file, part := range map[string]string{
		"objects/shop/web.yaml":         "mode: Recommend",
		"fleet.html":                    `<a href="fleet-workloads/shop.web.html">shop/web</a>`,
		"fleet-workloads/shop.web.html": "recommended",
		"kept/shop.Deployment.web.json": `"verdict"`,
		"kept/shop.StatefulSet.db.json": "no cpu usage of its pods is known",
	} {
		t.Run(file, func(t *testing.T) {
			if text, err := os.ReadFile(filepath.FromSlash(file)); err != nil || !strings.Contains(string(text), part) {
				t.Errorf("%v, %d bytes without %q", err, len(text), part)
			}
		})
	}
	for _, page := range []string{"fleet.html", "fleet-workloads/shop.web.html"} {
		if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "follow the count of pods alone") {
			t.Errorf("%s does not say what its GiB-hours are, %v", page, err)
		}
	}
	if f.most > 2 {
		t.Errorf("%d queries at once", f.most)
	}
	goesOn(t, f, args, out)
}

// goesOn: the same command asks for the workloads alone and says the same; one with
// other flags is refused.
func goesOn(t *testing.T, f *fake, args []string, before string) {
	t.Helper()
	f.queries = nil
	again, stderr, code := execute(args...)
	if code != exit.OK || again != before {
		t.Errorf("exit %d: %s\n%s", code, stderr, again)
	}
	for _, q := range f.queries {
		if strings.Contains(q, "container_cpu_usage") {
			t.Errorf("asked again: %s", q)
		}
	}
	if _, stderr, code = execute(append(args, "--price-cpu", "2")...); code != exit.Refused || !strings.Contains(stderr, "begun with other flags") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestEndedSurveysGoOn: the survey is ended when the first of two workloads is
// judged, and the same command judges the other one alone.
func TestEndedSurveysGoOn(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, end := context.WithCancel(t.Context())
	defer end()
	f := &fake{before: func(query string) {
		if strings.Contains(query, `"web-[a-z0-9]+`) {
			for _, err := os.Stat("kept/shop.StatefulSet.db.json"); err != nil; _, err = os.Stat("kept/shop.StatefulSet.db.json") {
				time.Sleep(time.Millisecond)
			}
			end()
		}
	}}
	args := []string{"--prometheus", serve(t, f), "--until", until, "--quick", "--resume", "kept", "-o", "csv"}
	const says = "the survey was ended: context canceled; the same command goes on"
	if _, stderr, code := executeIn(ctx, args...); code == exit.OK || !strings.Contains(stderr, says) {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if _, err := os.Stat("kept/shop.Deployment.web.json"); err == nil {
		t.Error("what was not judged is kept")
	}
	f.before, f.queries = nil, nil
	out, stderr, code := execute(args...)
	if code != exit.OK || !strings.Contains(out, "shop,Deployment,web,") || !strings.Contains(out, "shop,StatefulSet,db,") {
		t.Fatalf("exit %d: %s\n%s", code, stderr, out)
	}
	asked := strings.Join(f.queries, "\n")
	if strings.Contains(asked, `"db-[0-9]+"`) || !strings.Contains(asked, `"web-[a-z0-9]+`) {
		t.Errorf("asked:\n%s", asked)
	}
}

// TestRefused: what is missing or cannot be is said.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"no server":      {nil, "--prometheus is required"},
		"no URL":         {[]string{"--prometheus", "prom:9090"}, "--prometheus must be a URL"},
		"both":           {[]string{"--prometheus", "http://p", "-A", "-n", "shop"}, "cannot be used together"},
		"weeks":          {[]string{"--prometheus", "http://p", "--weeks", "0"}, "--weeks must be between 1 and 13"},
		"price":          {[]string{"--prometheus", "http://p", "--price-cpu", "NaN"}, "--price-cpu must be between"},
		"until":          {[]string{"--prometheus", "http://p", "--until", "today"}, "--until must be a time"},
		"label":          {[]string{"--prometheus", "http://p", "--label", "cluster"}, "--label must be a label and its value"},
		"header":         {[]string{"--prometheus", "http://p", "--header", "X-Scope-OrgID"}, "--header must be a name and a value"},
		"a secret":       {[]string{"--prometheus", "http://p", "--header", "Authorization: Basic c2VjcmV0"}, "needs an https address"},
		"queries":        {[]string{"--prometheus", "http://p", "--queries", "0"}, "--queries must be at least 1"},
		"no such folder": {[]string{"--prometheus", "http://p", "--resume", "/dev/null/kept"}, "--resume: "},
	} {
		t.Run(name, func(t *testing.T) {
			if _, stderr, code := execute(c.args...); code != exit.Refused || !strings.Contains(stderr, c.says) {
				t.Errorf("exit %d: %s", code, stderr)
			}
		})
	}
}

// TestOneOfManyClusters: every question is about the cluster that is asked for, and
// says who asks.
func TestOneOfManyClusters(t *testing.T) {
	f := &fake{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if who := r.Header.Get("X-Scope-OrgID"); who != "shop" {
			t.Errorf("asked by %q", who)
		}
		f.ServeHTTP(w, r)
	}))
	defer server.Close()
	out, stderr, code := execute("--prometheus", server.URL, "--until", until, "--quick", "--label", `cluster=a"b`, "--header", "X-Scope-OrgID: shop", "-o", "csv")
	if code != exit.OK || !strings.Contains(out, "shop,Deployment,web,HPA cpu 60%") {
		t.Fatalf("exit %d: %s\n%s", code, stderr, out)
	}
	for _, q := range f.queries {
		if strings.Count(q, `cluster="a\"b"`) != strings.Count(q, "{")-strings.Count(q, "{5}") {
			t.Errorf("a question about all clusters: %s", q)
		}
	}
}

// TestAnEmptyServer: one that knows no workload says which series it lacks.
func TestAnEmptyServer(t *testing.T) {
	empty := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"status":"success","data":{"resultType":"vector","result":[]}}`)
	}))
	defer empty.Close()
	if _, stderr, code := execute("--prometheus", empty.URL); code != exit.Refused || !strings.Contains(stderr, "kube_deployment_spec_replicas") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestNoPrometheus: what answers in another way says what to do.
func TestNoPrometheus(t *testing.T) {
	for name, c := range map[string]struct {
		code int
		body string
		says string
	}{
		"a login page": {http.StatusOK, "<!doctype html><title>Grafana</title>", "answers with a page of HTML, as a login or Grafana does, and not as Prometheus: check --prometheus"},
		"who asks":     {http.StatusUnauthorized, "<html>Sign in</html>", "answers 401: it wants to know who asks, so give a token with --token-file"},
		"not you":      {http.StatusForbidden, "{}", "answers 403: it wants to know who asks, so give a token with --token-file"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.code)
				fmt.Fprint(w, c.body)
			}))
			defer server.Close()
			if _, stderr, code := execute("--prometheus", server.URL); code != exit.Refused || !strings.Contains(stderr, c.says) {
				t.Errorf("exit %d: %s", code, stderr)
			}
		})
	}
}

// TestWithoutKubeStateMetrics: a cluster knows the workloads, and cadvisor how many
// pods there were.
func TestWithoutKubeStateMetrics(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		f, query := &fake{}, r.Form.Get("query")
		switch {
		case strings.Contains(query, "kube_"):
			kind := map[string]string{"/api/v1/query": "vector", "/api/v1/query_range": "matrix"}[r.URL.Path]
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":%q,"result":[]}}`, kind)
		case strings.HasPrefix(query, "count(count by (pod)"):
			r.Form.Set("query", ranges[1].part)
			f.ServeHTTP(w, r)
		default:
			f.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	v := verb{until: until, quick: true, weeks: 1, queries: 1}
	v.server.Address = server.URL
	how, from, err := v.read(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	known := advise.Workload{Namespace: "shop", Kind: advise.Deployment, Name: "web", Requests: scale.Resources{}.With(scale.CPU, 500)}
	s := survey{from: from, how: how}
	got, err := s.run(t.Context(), io.Discard, []advise.Workload{known})
	if err != nil || got[0].RecordedReplicas != 20 || got[0].Now.CPU != 0.5 {
		t.Errorf("%v, %+v", err, got)
	}
}
