package record

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// past runs the verb against a server that answers each query with two points,
// and returns the query it was asked.
func runPast(t *testing.T, args ...string) (stdout, stderr, asked string, err error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.FormValue("query") + " " + r.FormValue("start") + " " + r.FormValue("end")
		fmt.Fprint(w, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1767571200,"1.5"],[1767571260,"2"]]}]}}`)
	}))
	defer server.Close()
	cmd := New()
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	var out, errs bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetArgs(append([]string{"web", "--from", "prometheus", "--prometheus", server.URL}, args...))
	err = cmd.ExecuteContext(context.Background())
	return out.String(), errs.String(), asked, err
}

// TestFromPrometheus: the last week of the pods' cpu, or what the flags say, as
// CSV.
func TestFromPrometheus(t *testing.T) {
	out, stderr, asked, err := runPast(t, "-n", "shop", "--until", "2026-01-05T00:01:30Z")
	if err != nil || stderr != "" || out != "time,value\n2026-01-05T00:00:00Z,1.5\n2026-01-05T00:01:00Z,2\n" {
		t.Errorf("%v %s\n%s", err, stderr, out)
	}
	if want := `sum(rate(container_cpu_usage_seconds_total{namespace="shop",pod=~"web-.*",container!=""}[2m])) 1766966460 1767571260`; asked != want {
		t.Errorf("asked %s\nwant %s", asked, want)
	}
	_, _, asked, err = runPast(t, "--query", "up", "--for", "1m", "--until", "2026-01-05T00:01:00Z")
	if err != nil || asked != "up 1767571200 1767571260" {
		t.Errorf("%v, asked %s", err, asked)
	}
}

func TestFromPrometheusRefusals(t *testing.T) {
	for want, args := range map[string][]string{
		"needs --prometheus":          {"--prometheus", ""},
		"--until must be a time":      {"--until", "yesterday"},
		"--step must be at least 1s":  {"--step", "0s"},
		"--prometheus must be a URL":  {"--prometheus", "localhost"},
		"--token-file needs an https": {"--token-file", "token"},
		"--ca-file: open none":        {"--ca-file", "none"},
	} {
		t.Run(want, func(t *testing.T) {
			if _, _, _, err := runPast(t, args...); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: got %v", args, err)
			}
		})
	}
}

// TestNothingKnown: who is told that nothing is known must see what was asked.
func TestNothingKnown(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"status":"success","data":{"resultType":"matrix","result":[]}}`)
	}))
	defer server.Close()
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"the usual query":   {[]string{"-n", "shop"}, `{namespace="shop",pod=~"web-.*",container!=""}[2m]))` + "\nlook whether"},
		"a query they gave": {[]string{"--query", "up{job='x'}"}, "up{job='x'}\ntry it"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := New()
			cmd.SilenceUsage, cmd.SilenceErrors = true, true
			cmd.SetArgs(append([]string{"web", "--from", "prometheus", "--prometheus", server.URL, "--until", "2026-01-05T00:00:00Z"}, c.args...))
			err := cmd.ExecuteContext(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "from 2025-12-29T00:00:00Z to 2026-01-05T00:00:00Z") {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
