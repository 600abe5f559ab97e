package backtest

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/cli/exit"
)

// run runs the verb beside a spec and a demand in the ideal plant, in which
// everything can be worked out by hand, and returns the exit code.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"web.yaml": `{replicas: {max: 1}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}`,
		"bad.yaml": `{replicas: {maximum: 1}}`,
		"d.csv":    "time,value\n2026-01-05 00:00:00,1\n2026-01-05 00:30:00,2\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return execute(append([]string{"--plant", "ideal"}, args...))
}

func execute(args []string) (stdout, stderr string, code int) {
	cmd := New()
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	var out, errs bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetArgs(args)
	err := cmd.Execute()
	code, untold := exit.Of(err)
	if untold {
		errs.WriteString(err.Error())
	}
	return out.String(), errs.String(), code
}

// TestJSON is worked out by hand: one core for half an hour, then two. Results
// are in the order of the flags. One pod is always full, two are half full for
// half of the time, and those of the oracle are always full: its second one is
// ready when it is needed. Whoever is full more than 5 % of a day has no slack.
func TestJSON(t *testing.T) {
	out, stderr, code := run(t, "--demand", "d.csv", "--policy", "web.yaml", "--policy", "static:2", "--policy", "oracle", "-o", "json")
	want := `{"results":[` +
		`{"policy":"web.yaml","score":{"coreHours":1,"gibHours":1,"unservedPercent":33.333333,"starvedMinutes":30,"changes":0,"podStarts":0,"oracleCoreHours":1.508333,"billedCoreHours":1,"podStops":0,"podResizes":0,"violationPercent":100,"slack":0,"longestStarvedMinutes":30,"wasteCoreHours":0,"restarts":0}},` +
		`{"policy":"static:2","score":{"coreHours":2,"gibHours":2,"unservedPercent":0,"starvedMinutes":0,"changes":0,"podStarts":0,"oracleCoreHours":1.508333,"billedCoreHours":2,"podStops":0,"podResizes":0,"violationPercent":50,"slack":0,"longestStarvedMinutes":0,"wasteCoreHours":0.5,"restarts":0}},` +
		`{"policy":"oracle","score":{"coreHours":1.508333,"gibHours":1.508333,"unservedPercent":0,"starvedMinutes":0,"changes":1,"podStarts":1,"oracleCoreHours":1.508333,"billedCoreHours":1.508333,"podStops":0,"podResizes":0,"violationPercent":100,"slack":0,"longestStarvedMinutes":0,"wasteCoreHours":0.008333,"restarts":0}}]}` + "\n"
	if out != want || stderr != "" || code != exit.OK {
		t.Errorf("exit %d\n%s\nwant\n%s\n%s", code, out, want, stderr)
	}
}

// TestMeanPods: the mean of 1.5 becomes 3, and static pods cost the same.
func TestMeanPods(t *testing.T) {
	out, _, _ := run(t, "--demand", "d.csv", "--mean-pods", "3", "--policy", "static:3", "-o", "csv")
	if !strings.HasSuffix(out, "\nstatic:3,3,3,16.666667,30,0,0,3.016667,30,0.5,0,0,0,0,0,3,0,0,50,0,0,0,0,0\n") {
		t.Errorf("got\n%s", out)
	}
}

func TestTable(t *testing.T) {
	out, _, _ := run(t, "--demand", "d.csv", "--policy", "static:2", "--policy", "hpa:60")
	lines := strings.Split(out, "\n")
	if len(lines) != 8 || !strings.Contains(lines[1], "static:2") || !strings.Contains(lines[1], "1.33x") ||
		!strings.HasPrefix(lines[4], "demand") || !strings.HasPrefix(lines[6], "hpa:60") {
		t.Errorf("got\n%s", out)
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no policy":       {[]string{"--demand", "d.csv"}, "--policy is required"},
		"no such file":    {[]string{"--demand", "d.csv", "--policy", "none.yaml"}, "a policy is a file, hpa:PERCENT, static:COUNT, oracle, foretold, rhpa:PERCENT, kpa:PERCENT, autopilot, captain, crane or aws-predictive: open none.yaml"},
		"a broken file":   {[]string{"--demand", "d.csv", "--policy", "oracle", "--policy", "bad.yaml"}, "bad.yaml: "},
		"no percent":      {[]string{"--demand", "d.csv", "--policy", "hpa:"}, `policy "hpa:" needs a number`},
		"no statistic":    {[]string{"--demand", "d.csv", "--policy", "autopilot:p1"}, "one of the statistics [p95 p90 p98 mean max]"},
		"no demand":       {[]string{"--policy", "oracle"}, "--demand FILE is required"},
		"an unknown form": {[]string{"--demand", "d.csv", "--policy", "oracle", "-o", "xml"}, "must be table or json or csv"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := run(t, c.args...)
			if code != exit.Refused || stdout != "" || !strings.Contains(stderr, c.want) {
				t.Errorf("exit %d: %s\n%s", code, stderr, stdout)
			}
		})
	}
}
