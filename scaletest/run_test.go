package scaletest

import (
	"strings"
	"testing"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/scale"
)

const head = `policy
  replicas: {min: 1, max: 9}
  metrics:
  - type: External
    external: {metric: {name: queue}, target: {averageValue: "10"}}
workload 2 replicas
load every 15s
  queue 20 40
`

// TestFailuresAreShown: a statement that does not come true is reported with
// its line, what it says, what came and the full explanation.
func TestFailuresAreShown(t *testing.T) {
	for name, c := range map[string]struct {
		script    string
		line      int
		want, got string
	}{
		"a wrong count":              {"eval every 15s\n  15s 2 -> 5 AboveTarget", 10, "15s 2 -> 5 AboveTarget", "15s  2 -> 4  AboveTarget"},
		"a wrong reason":             {"eval every 15s\n  15s 2 -> 4 BelowTarget", 10, "15s 2 -> 4 BelowTarget", "15s  2 -> 4  AboveTarget"},
		"a limit that is not stated": {"eval every 15s\n  15s 2 -> 4 AboveTarget, limited by VelocityUp", 10, "limited by VelocityUp", "15s  2 -> 4  AboveTarget"},
		"a move no row names":        {"eval every 15s\n  0s stay 2", 9, "15s  stay 2  (no row names this moment)", "15s  2 -> 4"},
		"a moment that never comes":  {"eval every 15s\n  15s 2 -> 4\n  20s stay 4", 11, "20s stay 4", "no decision is made at that moment: they are every 15s"},
		"a bound":                    {"eval every 15s\n  15s 2 -> 4\nalways replicas in 1..3", 11, "always replicas in 1..3", "4 replicas at 15s"},
		"a sum":                      {"eval every 15s\n  15s 2 -> 4\ntotal changes <= 0", 11, "total changes <= 0", "1 changes"},
		"a text":                     {"eval every 15s\n  15s 2 -> 4\nexplain at 15s\n  nonsense", 11, "explain at 15s and this text", "another text"},
		"a row of a table":           {"decide\n  | now | queue | want |\n  | 2 | 20 | 3 |", 11, "| 2 | 20 | 3 |", "stay 2  WithinTolerance"},
		"an accepted policy":         {"policy invalid nonsense\n  replicas: {max: 3}", 9, "a refusal: nonsense", "the policy was accepted"},
		"another refusal":            {"policy invalid nonsense\n  replicas: {max: 0}", 9, "a refusal: nonsense", "another refusal"},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := Run("x.scale", []byte(head+c.script), Tidemark)
			if err != nil {
				t.Fatal(err)
			}
			if len(result.Failures) != 1 {
				t.Fatalf("%d failures, want 1: %v", len(result.Failures), result.Failures)
			}
			f := result.Failures[0]
			if f.Line != c.line || !strings.Contains(f.Want, c.want) || !strings.Contains(f.Got, c.got) {
				t.Errorf("got line %d, want %q, got %q", f.Line, f.Want, f.Got)
			}
			if text := f.String(); !strings.HasPrefix(text, "x.scale:") || !strings.Contains(text, f.Got) {
				t.Errorf("shown as %q", text)
			}
		})
	}
}

// TestUnreadableScripts: what cannot be read is refused with its line, and
// with what would be right.
func TestUnreadableScripts(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"an unknown command":         {"polcy\n  a: b", `x.scale:1: "polcy" is not a command`},
		"a block of its own":         {"  replicas: 3", "line 1: an indented line belongs to a command above it"},
		"a policy that is wrong":     {"policy\n  replicas: {max: 0}", "x.scale:1: replicas.max: must be at least 1"},
		"a field nobody knows":       {"policy\n  replicaz: {max: 3}", "replicaz"},
		"an eval without a policy":   {"eval every 15s", "x.scale:1: eval needs a valid policy above"},
		"an eval that never ends":    {head + "eval", "x.scale:9: say how often"},
		"a load for nothing":         {strings.Replace(head, "queue 20", "qeue 20", 1) + "eval every 15s", `"qeue" is no metric of the policy`},
		"a value that is none":       {strings.Replace(head, "40", "4x0", 1), `x.scale:8: "4x0" is not a quantity`},
		"a ramp of one step":         {strings.Replace(head, "40", "1..2", 1), "a ramp is FIRST..LAST*STEPS"},
		"a row that is none":         {head + "eval every 15s\n  15s grows", `neither «stay N» nor «A -> B»`},
		"a table of different rows":  {head + "decide\n  | now | want |\n  | 2 |", "the row has 1 cells, the table 2 columns"},
		"a check of no run":          {head + "total changes <= 3", "speaks of a run: put it below an eval"},
		"a workload of no size":      {"workload big", "workload starts with its size"},
		"a start that is no moment":  {"start tomorrow", "start takes a moment"},
		"a workload attribute":       {"workload 3 replicas, red", "is none of: M ready"},
		"a comparison nobody knows":  {head + "eval every 15s\n  15s 2 -> 4\ntotal changes ~ 3", "is none of in, <=, >=, =="},
		"a settle without a size":    {head + "settle total 3", "settle takes a total and a size"},
		"a range that changes":       {head + "eval every 15s\n  0s..15s 2 -> 4", "a range of moments can only stay"},
		"an explanation of no eval":  {head + "explain at 3s", "speaks of a run"},
		"a policy with extra words":  {"policy valid\n  replicas: {max: 3}", "policy takes no words but invalid TEXT"},
		"a load that is not regular": {"load 15s", "x.scale:1: say how often"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Run("x.scale", []byte(c.script), Tidemark)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// stubborn is an engine that never moves.
type stubborn struct{}

func (stubborn) Decide(obs scale.Observation) scale.Decision {
	size := scale.Size{Replicas: obs.Target.SpecReplicas}
	return scale.Decision{From: size, Want: size, Reason: scale.NoData}
}

// TestAnyEngine: a script can check another implementation.
func TestAnyEngine(t *testing.T) {
	other := func(v1alpha1.WorkloadAutoscalerSpec, v1alpha1.AdminSettings) (Decider, error) { return stubborn{}, nil }
	result, err := Run("x.scale", []byte(head+"eval every 15s\n  15s 2 -> 4"), other)
	if err != nil || len(result.Failures) != 1 {
		t.Fatalf("got %v, %v", result.Failures, err)
	}
}

// TestUpdate rewrites texts, and only them.
func TestUpdate(t *testing.T) {
	script := head + "eval every 15s\n  15s 2 -> 4\nexplain at 0s\n  old\n  lines\n# end\nexplain at 15s\n"
	result, err := Run("x.scale", []byte(script), Tidemark)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(result.Updated); strings.Contains(text, "old") || !strings.Contains(text, "# end\nexplain at 15s\n  2 -> 4: AboveTarget\n") {
		t.Errorf("updated to\n%s", text)
	}
	again, err := Run("x.scale", result.Updated, Tidemark)
	if err != nil || len(again.Failures) > 0 {
		t.Errorf("the updated script fails: %v, %v", again.Failures, err)
	}
}
