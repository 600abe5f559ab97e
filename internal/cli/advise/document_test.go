package advise

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
	"github.com/tidemark/tidemark/scale"
)

var update = flag.Bool("update", false, "write what the commands print into the document")

// known is a workload of the document: what its pods used, and how many there were.
type known struct {
	name           string
	demand, counts trace.Trace
}

// story are the workloads of the document: an HPA scales web, nothing scales cart.
func story(t *testing.T) []known {
	t.Helper()
	end, err := time.Parse(time.RFC3339, until)
	if err != nil {
		t.Fatal(err)
	}
	o := generate.Options{Length: week + time.Minute, Mean: 3 * scale.Thousand, Start: end.Add(-week)}
	var out []known
	for _, w := range []struct{ name, shape, policy string }{{"cart", "weekly", "static:12"}, {"web", "daily", "hpa:60"}} {
		demand, err := generate.Named(w.shape, 1, o)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, known{w.name, demand, decided(t, demand, w.policy)})
	}
	return out
}

// decided are the counts that a policy decides on, in a cluster with other chances.
func decided(t *testing.T, demand trace.Trace, name string) trace.Trace {
	t.Helper()
	plant := replay.Honest()
	plant.Limits, plant.Interpolate, plant.Seed = scale.Resources{}, true, 7
	r, err := replay.New(demand, plant)
	if err != nil {
		t.Fatal(err)
	}
	policy, _, err := replay.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	results, err := r.Run([]replay.Policy{policy}, replay.Options{Timeline: true, WithoutOracle: true})
	if err != nil {
		t.Fatal(err)
	}
	out := trace.Trace{Step: time.Minute}
	for _, m := range results[0].Timeline {
		if m.At.Truncate(time.Minute).Equal(m.At) {
			out.Points = append(out.Points, trace.Point{At: m.At, Value: scale.Amount(m.Replicas) * scale.Thousand})
		}
	}
	return out
}

// tell answers as a Prometheus that knows the workloads of the document.
func tell(all []known) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		query := r.Form.Get("query")
		if r.URL.Path == "/api/v1/query" {
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[%s]}}`, listed(query, all))
			return
		}
		step, _ := strconv.ParseInt(r.Form.Get("step"), 10, 64)
		from, _ := strconv.ParseInt(r.Form.Get("start"), 10, 64)
		to, _ := strconv.ParseInt(r.Form.Get("end"), 10, 64)
		var values []string
		for _, k := range all {
			for i, p := range k.demand.Points {
				if at := p.At.Unix(); at >= from && at <= to && (at-from)%step == 0 {
					if value := k.at(query, i); value != "" {
						values = append(values, fmt.Sprintf(`[%d,%q]`, at, value))
					}
				}
			}
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[%s]}]}}`, strings.Join(values, ","))
	}
}

// at is the value of a query at a point, where it is about this workload.
func (k *known) at(query string, i int) string {
	switch {
	case strings.Contains(query, "deployment=\""+k.name+"\""):
		return k.counts.Points[min(i, len(k.counts.Points)-1)].Value.String()
	case !strings.Contains(query, "pod=~\""+k.name+"-["), strings.Contains(query, "limits"):
		return ""
	case strings.Contains(query, "cpu_usage"):
		return k.demand.Points[i].Value.String()
	case strings.Contains(query, "ready_time"):
		return "30"
	case strings.Contains(query, "memory"):
		return "1073741824"
	}
	return "1"
}

// listed are the series of an instant query.
func listed(query string, all []known) string {
	var out []string
	for _, k := range all {
		if strings.Contains(query, "kube_deployment") {
			out = append(out, fmt.Sprintf(`{"metric":{"namespace":"shop","deployment":%q},"value":[0,"1"]}`, k.name))
		}
	}
	for _, i := range instants[1:] {
		if strings.Contains(query, i.part) && i.part != "OOMKilled" {
			return strings.ReplaceAll(i.series, `"2"`, `"1"`)
		}
	}
	return strings.Join(out, ",")
}

// TestStartDocument runs the commands of docs/start.md. What stands below one is
// what it prints.
func TestStartDocument(t *testing.T) {
	path, err := filepath.Abs("../../../docs/start.md")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(tell(story(t)))
	t.Cleanup(server.Close)
	t.Setenv("PROMETHEUS", server.URL)
	t.Setenv("UNTIL", until)
	t.Chdir(t.TempDir())
	text, ran := string(data), 0
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "```sh\n")
		if !found {
			break
		}
		line, after, _ := strings.Cut(after, "\n```\n")
		rest = after
		line, _, redirected := strings.Cut(line, " > ")
		words := strings.Fields(os.ExpandEnv(line))
		if len(words) < 2 || words[0] != "tidemark" || words[1] != "advise" {
			t.Fatalf("the document has a command that is not run: %s", line)
		}
		ran++
		var args []string
		for _, w := range words[2:] {
			args = append(args, strings.Trim(w, `"`))
		}
		// The document is about now, the workloads are of another day.
		out, stderr, code := execute(append(args, "--until", until)...)
		if code != exit.OK {
			t.Fatalf("%s: exit %d, %s", line, code, stderr)
		}
		shown, ok := strings.CutPrefix(rest, "\n```text\n")
		if !ok || redirected {
			continue
		}
		want, _, _ := strings.Cut(shown, "```\n")
		if *update {
			text = strings.Replace(text, "```text\n"+want, "```text\n"+out, 1)
		} else if diff := cmp.Diff(want, out); diff != "" {
			t.Errorf("%s prints something else (-document +command)\n%s", line, diff)
		}
	}
	if ran < 2 {
		t.Errorf("%d commands: the test looks in the wrong place", ran)
	}
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
