package tune

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/cli/exit"
)

const object = `apiVersion: autoscaling.tidemark.dev/v1alpha1
kind: WorkloadAutoscaler
metadata: {name: web, namespace: shop}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  replicas: {min: 2, max: 100}
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 20}}}]
`

// run runs the verb beside an object, and returns the exit code.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("web.yaml", []byte(object), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := New()
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	var out, errs bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetArgs(append([]string{"-f", "web.yaml", "--demand", "generate:daily?days=2", "--sync", "1m"}, args...))
	err := cmd.Execute()
	code, untold := exit.Of(err)
	if untold {
		errs.WriteString(err.Error())
	}
	return out.String(), errs.String(), code
}

// TestYAML: the object comes back with its name and with another target.
func TestYAML(t *testing.T) {
	out, stderr, code := run(t, "--evaluations", "30", "--objective", "cost where unserved<=0.1%", "-o", "yaml", "--report", "out.html")
	for _, want := range []string{"kind: WorkloadAutoscaler\n", "  name: web\n", "  namespace: shop\n", "averageUtilization:"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		})
	}
	if code != exit.OK || strings.Contains(out, "averageUtilization: 20\n") || strings.Contains(out, "status:") {
		t.Errorf("exit %d %s\n%s", code, stderr, out)
	}
	page, err := os.ReadFile("out.html")
	if err != nil || !strings.Contains(string(page), "What the search found") {
		t.Errorf("the report: %v", err)
	}
}

// TestJSON: what was found is better than what was given, on both parts, and
// twice the same.
func TestJSON(t *testing.T) {
	args := []string{"--evaluations", "20", "--objective", "cost", "-o", "json"}
	out, _, code := run(t, args...)
	var got struct {
		Evaluations  int
		AsItIs, Best struct {
			Score, HeldOut struct{ CoreHours float64 }
			Settings       map[string]string
		}
		Front []any
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exit.OK {
		t.Fatalf("exit %d, %v\n%s", code, err, out)
	}
	if got.Evaluations < 20 || len(got.Front) == 0 || len(got.AsItIs.Settings) != 0 || len(got.Best.Settings) == 0 {
		t.Errorf("%+v", got)
	}
	if got.Best.Score.CoreHours >= got.AsItIs.Score.CoreHours || got.Best.HeldOut.CoreHours >= got.AsItIs.HeldOut.CoreHours {
		t.Errorf("best %+v, as it is %+v", got.Best, got.AsItIs)
	}
	if again, _, _ := run(t, args...); again != out {
		t.Error("the second run differs")
	}
}

// TestTable: the best is marked, and what differs is written out.
func TestTable(t *testing.T) {
	out, _, _ := run(t, "--evaluations", "20")
	for _, want := range []string{" candidates replayed, ", "HELD OUT", "as it is", "* ", "to apply:\napiVersion:"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		})
	}
}

// TestBeside: others are scored on both parts beside what was found, in every form.
func TestBeside(t *testing.T) {
	out, stderr, code := run(t, "--evaluations", "3", "--policy", "static:30", "--policy", "kpa:70", "--report", "out.html")
	// Of two days the search sees 36 hours, in which 30 pods cost 1080 core-hours.
	if code != exit.OK || !strings.Contains(out, "  static:30      1080.0 ") || !strings.Contains(out, "kpa:70 ") {
		t.Errorf("exit %d %s\n%s", code, stderr, out)
	}
	if page, err := os.ReadFile("out.html"); err != nil || strings.Count(string(page), "static:30") < 2 {
		t.Errorf("the report: %v", err)
	}
	out, _, _ = run(t, "--evaluations", "3", "--policy", "static:30", "-o", "json")
	var got struct {
		Beside []struct {
			Policy         string
			Score, HeldOut struct{ CoreHours float64 }
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Beside) != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	if b := got.Beside[0]; b.Policy != "static:30" || b.Score.CoreHours != 1080 || b.HeldOut.CoreHours != 360 {
		t.Errorf("%+v", b)
	}
}

// TestBudget: a search for a moment still answers.
func TestBudget(t *testing.T) {
	if out, stderr, code := run(t, "--budget", "1ms", "--hold-out", "0"); code != exit.OK || !strings.Contains(out, "as it is") ||
		!strings.Contains(stderr, "nothing was held out") {
		t.Errorf("exit %d %s\n%s", code, stderr, out)
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"objective":  {[]string{"--objective", "speed"}, `--objective "speed": "speed" is not a number of a score`},
		"budget":     {[]string{"--budget", "0s"}, "--budget must be above 0"},
		"hold-out":   {[]string{"--hold-out", "1"}, "--hold-out must be between 0 and 0.9"},
		"too short":  {[]string{"--demand", "generate:step?hours=1", "--hold-out", "0.01"}, "too short to hold out 1%"},
		"both stdin": {[]string{"-f", "-", "--demand", "-"}, "cannot both be standard input"},
		"no policy":  {[]string{"--evaluations", "1", "--policy", "kpa"}, `policy "kpa" needs a number`},
		"no folder":  {[]string{"--evaluations", "1", "--report", "none/out.html"}, "writing --report"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := run(t, c.args...)
			if code != exit.Refused || stdout != "" || !strings.Contains(stderr, c.want) {
				t.Errorf("exit %d: %s\n%s", code, stderr, stdout)
			}
		})
	}
}

// TestScore: what is best by the measure gains more than the policy as it is, and
// both are measured over the whole recording.
func TestScore(t *testing.T) {
	out, stderr, code := run(t, "--evaluations", "20", "--objective", "t", "--score", "-o", "json")
	var got struct {
		Measured struct{ AsItIs, Best struct{ T, D, G float64 } }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exit.OK {
		t.Fatalf("exit %d %s: %v", code, stderr, err)
	}
	if m := got.Measured; m.Best.T >= m.AsItIs.T || m.Best.G <= m.AsItIs.G || m.Best.D != m.AsItIs.D || m.Best.D <= 0 {
		t.Errorf("%+v", m)
	}
	if out, _, _ := run(t, "--evaluations", "2", "--score"); !strings.Contains(out, "\nThe whole recording: D ") || !strings.Contains(out, "\nbest: T ") {
		t.Errorf("got\n%s", out)
	}
}
