package simulate

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/cli/exit"
)

// run runs the verb on a spec and a demand in the ideal plant, in which everything
// can be worked out by hand, and returns the exit code.
func run(t *testing.T, spec, demand string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return execute(t, spec, demand, append([]string{"-f", "web.yaml", "--demand", "d.csv", "--plant", "ideal"}, args...)...)
}

// execute runs the verb beside the files, with these arguments alone.
func execute(t *testing.T, spec, demand string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"web.yaml": spec, "d.csv": demand} {
		if err := os.WriteFile(filepath.Join(".", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
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

const onePod = `{replicas: {max: 1}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}`

// halfHours is one core for half an hour, then two.
const halfHours = "time,value\n2026-01-05T00:00:00Z,1\n2026-01-05T00:30:00Z,2\n"

// TestJSON is worked out by hand. One pod at most drops one of two cores for
// half an hour: 0.5 of 1.5 core-hours. The oracle starts its second pod at the
// last decision before 29:15 is over, at 29:30, for 30:30 minutes. The pod is full
// all the time: no minute stays below 90 %, and there is no slack.
func TestJSON(t *testing.T) {
	out, stderr, code := run(t, onePod, halfHours, "-o", "json")
	want := `{"policy":"web.yaml","score":{"coreHours":1,"gibHours":1,"unservedPercent":33.333333,"starvedMinutes":30,"changes":0,"podStarts":0,"oracleCoreHours":1.508333,"billedCoreHours":1,"podStops":0,"podResizes":0,"violationPercent":100,"slack":0,"longestStarvedMinutes":30,"wasteCoreHours":0,"restarts":0}}` + "\n"
	if out != want || stderr != "" || code != exit.OK {
		t.Errorf("exit %d\n%s\nwant\n%s\n%s", code, out, want, stderr)
	}
}

// TestTimelineJSON: each decision is one entry, with the engine's reasons.
func TestTimelineJSON(t *testing.T) {
	out, _, _ := run(t, onePod, halfHours, "-o", "json", "--timeline", "--sync", "20m")
	want := `,"timeline":[{"at":"2026-01-05T00:00:00Z","demand":1,"replicas":1,"ready":1,"want":1,"reason":"AboveTarget","limitedBy":"MaxReplicas","cpu":1,"wantCPU":1},` +
		`{"at":"2026-01-05T00:20:00Z","demand":1,"replicas":1,"ready":1,"want":1,"reason":"AboveTarget","limitedBy":"MaxReplicas","cpu":1,"wantCPU":1},` +
		`{"at":"2026-01-05T00:40:00Z","demand":2,"replicas":1,"ready":1,"want":1,"reason":"AboveTarget","limitedBy":"MaxReplicas","cpu":1,"wantCPU":1}]}` + "\n"
	if !strings.HasSuffix(out, want) {
		t.Errorf("got\n%s\nwant at its end\n%s", out, want)
	}
}

func TestCSV(t *testing.T) {
	out, _, _ := run(t, onePod, halfHours, "-o", "csv", "--pod-memory", "512Mi")
	want := "policy,coreHours,gibHours,unservedPercent,starvedMinutes,changes,podStarts,oracleCoreHours,longestStarvedMinutes," +
		"wasteCoreHours,restarts,oomKills,meanWaitSeconds,longestQueueCoreSeconds,pendingMinutes," +
		"billedCoreHours,podStops,podResizes,violationPercent,slack,late,p50WaitSeconds,p99WaitSeconds,money\n" +
		"web.yaml,1,0.5,33.333333,30,0,0,1.508333,30,0,0,0,0,0,0,1,0,0,100,0,0,0,0,0\n"
	if out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	out, _, _ = run(t, onePod, halfHours, "-o", "csv", "--timeline", "--sync", "20m")
	if !strings.HasPrefix(out, "time,demand,replicas,ready,want,reason,limitedBy,cpu,wantCPU\n2026-01-05T00:00:00Z,1,1,1,1,AboveTarget,MaxReplicas,1,1\n") {
		t.Errorf("got\n%s", out)
	}
}

// TestTimelineOfSizes is worked out by hand: a pod of one core that is full needs
// two to be half full, and one pod may have four. The count stays, and the
// decision is in the table all the same.
func TestTimelineOfSizes(t *testing.T) {
	spec := `{replicas: {max: 1}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}],
	  intervals: {ranges: [{maxReplicas: 1, maxResources: {cpu: "4"}}]}, vertical: {source: None}}`
	out, stderr, code := run(t, spec, halfHours, "-o", "csv", "--timeline")
	if lines := strings.Split(out, "\n"); code != exit.OK || len(lines) < 2 || !strings.HasPrefix(lines[1], "2026-01-05T00:00:00Z,1,1,1,1,") ||
		!strings.HasSuffix(lines[1], ",1,2") {
		t.Errorf("exit %d %s\n%s", code, stderr, out)
	}
	out, _, _ = run(t, spec, halfHours, "--timeline")
	if lines := strings.Split(out, "\n"); !strings.HasSuffix(lines[0], "  CPU  WANTCPU") ||
		!strings.HasPrefix(lines[1], "2026-01-05T00:00:00Z  1       1         1      1 ") || !strings.HasSuffix(strings.TrimRight(lines[1], " "), "  1    2") {
		t.Errorf("the table says\n%s", out)
	}
}

// TestReplicas: the replay begins with as many pods as it is told, and the oracle
// with its own.
func TestReplicas(t *testing.T) {
	free := strings.Replace(onePod, "max: 1", "max: 9", 1)
	out, stderr, code := run(t, free, halfHours, "-o", "csv", "--timeline", "--replicas", "5")
	if code != exit.OK || !strings.Contains(out, "\n2026-01-05T00:00:00Z,1,5,5,") {
		t.Errorf("exit %d %s\n%s", code, stderr, out)
	}
	out, _, _ = run(t, free, halfHours, "-o", "json", "--replicas", "5")
	if !strings.Contains(out, `"oracleCoreHours":1.508333`) {
		t.Errorf("the oracle does not begin with its own count: %s", out)
	}
}

// TestPrometheus: the answer of a range query is read as it is.
func TestPrometheus(t *testing.T) {
	answer := `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1767571200,"1"],[1767573000,"2"]]}]}}`
	out, stderr, _ := run(t, onePod, answer, "-o", "json")
	if !strings.Contains(out, `"unservedPercent":33.333333,"starvedMinutes":30,`) {
		t.Errorf("%s\n%s", out, stderr)
	}
}

// TestShortDemandWarns on standard error, and the result stays what it is.
func TestShortDemandWarns(t *testing.T) {
	out, stderr, code := run(t, strings.Replace(onePod, "}, metrics", "}, learn: {period: Daily}, metrics", 1), halfHours, "-o", "json")
	if code != exit.OK ||
		stderr != "warning: web.yaml: the demand lasts 1h0m0s, which is shorter than the period that bounds are learned from (24h0m0s)\n" || out == "" {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestTable shows the score, the shapes, and with a timeline the changes alone.
func TestTable(t *testing.T) {
	free := strings.Replace(onePod, "max: 1", "max: 9", 1)
	out, _, _ := run(t, free, halfHours, "--timeline")
	for _, want := range []string{"TIME", "AboveTarget", "CORE-HOURS", "web.yaml", "demand    ▅▅", "██  up to 2 cores", "up to 4 pods"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		})
	}
	if strings.Contains(out, "WithinTolerance") {
		t.Errorf("a decision that changes nothing is listed in\n%s", out)
	}
}

// TestRepair: what is refused without the flag is counted with it.
func TestRepair(t *testing.T) {
	bad := "time,value\n2026-01-05T00:30:00Z,2\n2026-01-05T00:00:00Z,1\n2026-01-05T00:30:00Z,7\n2026-01-05T01:00:00Z,-2\n"
	_, stderr, code := run(t, onePod, bad, "-o", "json")
	if code != exit.Refused || !strings.Contains(stderr, "1 samples are out of order, 1 repeat a time, 1 are negative") || !strings.Contains(stderr, "--repair") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	out, stderr, code := run(t, onePod, bad, "-o", "json", "--repair")
	if code != exit.OK || !strings.Contains(stderr, "3 of 4 samples were repaired") || !strings.Contains(out, `"unservedPercent":33.333333`) {
		t.Errorf("exit %d: %s\n%s", code, stderr, out)
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		spec, demand string
		args         []string
		want         string
	}{
		"unknown field":     {`{replicas: {maximum: 1}}`, halfHours, nil, "web.yaml: "},
		"no samples":        {onePod, "time,value\n", nil, "no usable sample"},
		"one sample":        {onePod, "time,value\n2026-01-05T00:00:00Z,1\n", nil, "at least two points"},
		"no file":           {onePod, halfHours, []string{"--demand", "none.csv"}, "none.csv"},
		"no demand":         {onePod, halfHours, []string{"--demand", ""}, "--demand FILE is required"},
		"both from stdin":   {onePod, halfHours, []string{"-f", "-", "--demand", "-"}, "cannot both be standard input"},
		"no pods":           {onePod, halfHours, []string{"--replicas", "-1"}, "--replicas must be between 1 and 100000"},
		"cpu of nothing":    {onePod, halfHours, []string{"--pod-cpu", "0"}, "--pod-cpu must be above 0"},
		"cpu in words":      {onePod, halfHours, []string{"--pod-cpu", "two"}, `--pod-cpu: "two" is not a quantity`},
		"mean of nothing":   {onePod, halfHours, []string{"--mean-pods", "0"}, "--mean-pods must be above 0"},
		"no time to decide": {onePod, halfHours, []string{"--sync", "0s"}, "--sync must be between 1s and 24h"},
		"memory alone": {
			`{replicas: {max: 3}, metrics: [{type: Resource, resource: {name: memory, target: {averageUtilization: 60}}}]}`,
			halfHours, nil, "memory alone",
		},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := run(t, c.spec, c.demand, c.args...)
			if code != exit.Refused || stdout != "" || !strings.Contains(stderr, c.want) {
				t.Errorf("exit %d: %s\n%s", code, stderr, stdout)
			}
		})
	}
}

// TestExplainAt: the decision of a moment, by its time or how long after the
// start, in the engine's words.
func TestExplainAt(t *testing.T) {
	for _, moment := range []string{"2026-01-05T00:40:10Z", "40m10s"} {
		out, stderr, code := run(t, onePod, halfHours, "--explain-at", moment)
		if code != exit.OK || !strings.HasPrefix(out, "2026-01-05T00:40:00Z  demand 2, 1 of 1 pods ready\nstays at 1: AboveTarget, limited by MaxReplicas\n") {
			t.Errorf("exit %d %s\n%s", code, stderr, out)
		}
	}
	for moment, says := range map[string]string{"noon": "is neither a time", "2h": "is not within the demand"} {
		if _, stderr, code := run(t, onePod, halfHours, "--explain-at", moment); code != exit.Refused || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit %d %s", moment, code, stderr)
		}
	}
}

// TestYardstick: a policy that is no file stands instead of one. Two pods for an
// hour cost two core-hours, and drop nothing.
func TestYardstick(t *testing.T) {
	out, stderr, code := execute(t, onePod, halfHours, "--plant", "ideal", "--policy", "static:2", "--demand", "d.csv", "-o", "json")
	if code != exit.OK || !strings.HasPrefix(out, `{"policy":"static:2","score":{"coreHours":2,`) || !strings.Contains(out, `"unservedPercent":0,`) {
		t.Errorf("exit %d %s\n%s", code, stderr, out)
	}
	// Knative has two pods for one core. With two cores the mean of its minute, a
	// second ago, is above 1.4 cores after more than 25 seconds: then it wants three.
	out, stderr, code = execute(t, onePod, halfHours, "--plant", "ideal", "--policy", "kpa:70", "--demand", "d.csv", "-o", "csv", "--timeline")
	if code != exit.OK || !strings.Contains(out, "00:30:24Z,2,2,2,2,") || !strings.Contains(out, "00:30:26Z,2,2,2,3,") {
		t.Errorf("exit %d %s\n%.300s", code, stderr, out)
	}
	for want, args := range map[string][]string{
		"-f and --policy cannot be used together": {"-f", "web.yaml", "--policy", "kpa:70"},
		"is no policy of the engine":              {"--policy", "kpa:70", "--explain-at", "40m"},
		`policy "kpa" needs a number`:             {"--policy", "kpa"},
		"a policy is a file, hpa:PERCENT":         {"--policy", "none"},
	} {
		t.Run(want, func(t *testing.T) {
			_, stderr, code := execute(t, onePod, halfHours, append(args, "--demand", "d.csv")...)
			if code != exit.Refused || !strings.Contains(stderr, want) {
				t.Errorf("%v: exit %d %s", args, code, stderr)
			}
		})
	}
}

// TestReport: the page is written beside the table, with its warnings.
func TestReport(t *testing.T) {
	learner := strings.Replace(onePod, "}, metrics", "}, learn: {period: Daily}, metrics", 1)
	out, _, code := run(t, learner, halfHours, "--report", "out.html")
	page, err := os.ReadFile("out.html")
	if err != nil || code != exit.OK || !strings.Contains(out, "CORE-HOURS") {
		t.Fatalf("exit %d, %v\n%s", code, err, out)
	}
	for _, want := range []string{"<h1>d.csv</h1>", "web.yaml", "shorter than the period that bounds are learned from"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

// TestDemands: one core for half an hour and then two, in other layouts, gaps
// and resamplings. A third of it is always beyond one pod.
func TestDemands(t *testing.T) {
	for name, c := range map[string]struct {
		demand string
		args   []string
		warns  string
	}{
		"a column":   {"time;a;b\n2026-01-05 09:00;9;1\n2026-01-05 09:30;9;2\n", []string{"--column", "b", "--time-zone", "Asia/Tokyo"}, ""},
		"numbers":    {"1\n2\n", []string{"--step", "30m"}, ""},
		"resampled":  {"time,value\n0,1\n900,1\n1800,2\n2700,2\n", []string{"--resample", "30m:max"}, "4 samples became 2, one each 30m0s"},
		"filled":     {"time,value\n0,1\n600,1\n1200,1\n1800,2\n2400,2\n3600,0\n", []string{"--gaps", "interpolate"}, "1 samples were made up"},
		"the series": {`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"pod":"a"},"values":[[0,"1"],[1800,"2"]]},{"metric":{"pod":"b"},"values":[[0,"7"],[1800,"7"]]}]}}`, []string{"--series", "pod=a"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			out, stderr, code := run(t, onePod, c.demand, append(c.args, "-o", "json")...)
			if code != exit.OK || !strings.Contains(out, `"coreHours":1`) || !strings.Contains(stderr, c.warns) {
				t.Errorf("%s: exit %d %s\n%s", name, code, stderr, out)
			}
		})
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"zone":        {[]string{"--time-zone", "Mars/Olympus"}, "--time-zone: unknown time zone"},
		"gaps":        {[]string{"--gaps", "guess"}, "--gaps: gaps can be filled by hold, interpolate or zero"},
		"resample":    {[]string{"--resample", "often"}, "--resample must be a duration"},
		"resample by": {[]string{"--resample", "5m:min"}, "takes the mean or the max"},
		"step":        {[]string{"--step", "-1s"}, "--step must be above 0"},
		"generated":   {[]string{"--demand", "generate:lunar"}, `no generated demand "lunar"`},
		"share":       {[]string{"--crash-share", "often"}, `--crash-share: "often" is not a share`},
		"percent":     {[]string{"--lost-samples", "101%"}, "is not a share"},
		"resize":      {[]string{"--resize", "magic"}, "--resize must be inplace or restart"},
		"nodes":       {[]string{"--nodes", "2"}, "--nodes needs --node-cpu"},
	} {
		t.Run(name, func(t *testing.T) {
			if stdout, stderr, code := run(t, onePod, halfHours, c.args...); code != exit.Refused || stdout != "" || !strings.Contains(stderr, c.want) {
				t.Errorf("%s: exit %d: %s", name, code, stderr)
			}
		})
	}
}

// TestQueueAndMemory is worked out by hand. Of two cores for half an hour one
// is beyond the pod: 600 of 1800 core-seconds wait until the end, which takes ten
// minutes to fill, and the rest is dropped; all of them are unserved. A pod of
// 512Mi that uses 128Mi and leaks 512Mi an hour is killed once, after 45 minutes.
func TestQueueAndMemory(t *testing.T) {
	out, _, _ := run(t, onePod, halfHours, "-o", "json", "--queue", "600", "--metric-window", "30s", "--resize", "restart")
	if !strings.Contains(out, `"unservedPercent":33.333333,"starvedMinutes":20,`) || !strings.Contains(out, `"longestQueueCoreSeconds":600`) {
		t.Errorf("got %s", out)
	}
	out, _, _ = run(t, onePod, halfHours, "-o", "json", "--pod-memory", "512Mi", "--memory-base", "128Mi", "--memory-leak", "512Mi", "--crash-share", "0%")
	if !strings.Contains(out, `"restarts":1,"oomKills":1`) {
		t.Errorf("got %s", out)
	}
}
