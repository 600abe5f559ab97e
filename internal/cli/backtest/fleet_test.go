package backtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
)

// recordings writes a fleet of generated demands, with a policy for all and one
// of its own for w3.
func recordings(t *testing.T, n int) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.Mkdir("fleet", 0o700); err != nil {
		t.Fatal(err)
	}
	policy := `{replicas: {min: %d, max: 50}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}`
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join("fleet", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("default.yaml", fmt.Sprintf(policy, 1))
	put("w3.yaml", fmt.Sprintf(policy, 9))
	put("notes.md", "not a recording")
	for i := range n {
		names := generate.Names()
		demand, err := generate.Parse(names[i%len(names)] + fmt.Sprintf("?hours=6&mean=3&seed=%d", i))
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := demand.WriteCSV(&text); err != nil {
			t.Fatal(err)
		}
		put(fmt.Sprintf("w%d.csv", i), text.String())
	}
}

// TestShardsMergeToOneRun: three machines give, digit by digit and in every
// form, what one gives, whatever the order of their parts.
func TestShardsMergeToOneRun(t *testing.T) {
	for plant, flags := range map[string][]string{
		"honest": {"--queue-per-pod", "2s", "--price-cpu", "0.03"},
		"ideal":  {"--plant", "ideal", "--queue", "20"},
	} {
		t.Run(plant, func(t *testing.T) { shardsMergeToOneRun(t, flags) })
	}
}

func shardsMergeToOneRun(t *testing.T, flags []string) {
	recordings(t, 11)
	common := append([]string{"--fleet", "fleet", "--policy", "own", "--policy", "hpa:70"}, flags...)
	for i := range 3 {
		out, stderr, code := execute(append(common, "--shard", fmt.Sprintf("%d/3", i), "-o", "json", "--to", fmt.Sprintf("part-%d.json", 2-i)))
		if code != exit.OK || out != "" {
			t.Fatalf("exit %d: %s\n%s", code, stderr, out)
		}
	}
	for _, form := range []string{"json", "csv", "table"} {
		want, stderr, code := execute(append(common, "-o", form))
		if code != exit.OK {
			t.Fatal(stderr)
		}
		got, stderr, code := execute([]string{"--merge", "part-0.json", "part-1.json", "part-2.json", "-o", form})
		if code != exit.OK || got != want {
			t.Errorf("%s: exit %d %s, merged\n%s\nin one run\n%s", form, code, stderr, got, want)
		}
	}
}

// TestFleetTable: a row for each workload and policy, then the totals. The
// minimum of nine pods of w3 for six hours is at least 54 core-hours.
func TestFleetTable(t *testing.T) {
	recordings(t, 4)
	out, stderr, code := execute([]string{"--fleet", "fleet", "--policy", "own", "--policy", "static:9"})
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != exit.OK || len(lines) != 1+4*2+2 || !strings.Contains(lines[0], "WORKLOAD") {
		t.Fatalf("exit %d %s\n%s", code, stderr, out)
	}
	f := strings.Fields(lines[7])
	if cost, err := strconv.ParseFloat(f[2], 64); f[0] != "w3" || f[1] != "own" || err != nil || cost < 54 {
		t.Errorf("its own policy: %q", lines[7])
	}
	if f := strings.Fields(lines[10]); f[0] != "ALL" || f[1] != "4" || f[2] != "static:9" || f[3] != "216.0" {
		t.Errorf("the total of 4 workloads of 9 pods for 6 hours: %q", lines[10])
	}
}

// TestBadRecordingIsTold: the others are replayed all the same.
func TestBadRecordingIsTold(t *testing.T) {
	recordings(t, 3)
	if err := os.WriteFile("fleet/bad.csv", []byte("time,value\n5,1\n5,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, stderr, code := execute([]string{"--fleet", "fleet", "--policy", "static:1"})
	if code != exit.Refused || !strings.Contains(stderr, "bad could not be replayed: ") || !strings.Contains(stderr, "1 repeat a time") ||
		!strings.Contains(out, "ALL 3") {
		t.Errorf("exit %d: %s\n%s", code, stderr, out)
	}
}

func TestFleetRefusals(t *testing.T) {
	recordings(t, 2)
	if _, stderr, code := execute([]string{"--fleet", "fleet", "--shard", "0/2", "-o", "json", "--to", "half.json"}); code != exit.OK {
		t.Fatal(stderr)
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no such folder":    {[]string{"--fleet", "none"}, "reading the fleet"},
		"an empty folder":   {[]string{"--fleet", t.TempDir()}, "has no recordings"},
		"both":              {[]string{"--fleet", "fleet", "--demand", "d.csv"}, "cannot be used together"},
		"shard of nothing":  {[]string{"--shard", "0/2", "--demand", "d.csv"}, "--shard needs --fleet"},
		"shard of the end":  {[]string{"--fleet", "fleet", "--shard", "2/2"}, `of 2 shards the last is 1/2`},
		"no index":          {[]string{"--fleet", "fleet", "--shard", "2"}, "JOB_COMPLETION_INDEX"},
		"half of a merge":   {[]string{"--merge", "half.json"}, "shard 1 of 2 is missing"},
		"the same twice":    {[]string{"--merge", "half.json", "half.json"}, "shard 0 comes twice"},
		"nothing to merge":  {[]string{"--merge"}, "needs the files"},
		"not a part":        {[]string{"--merge", "fleet/w0.csv"}, "reading the result of a shard"},
		"a stray argument":  {[]string{"--fleet", "fleet", "x"}, `unexpected argument "x"`},
		"a report of all":   {[]string{"--fleet", "fleet", "--report", "out.html"}, "--report shows one demand"},
		"a bad policy":      {[]string{"--fleet", "fleet", "--policy", "hpa:"}, "needs a number"},
		"a file of one run": {[]string{"--to", "out.json", "--demand", "d.csv"}, "--to needs --fleet"},
	} {
		t.Run(name, func(t *testing.T) {
			if stdout, stderr, code := execute(c.args); code != exit.Refused || stdout != "" || !strings.Contains(stderr, c.want) {
				t.Errorf("%s: exit %d: %s\n%s", name, code, stderr, stdout)
			}
		})
	}
}

// TestJobManifest: the Job of the examples is what the API server takes, and
// its arguments are what the verb takes, with the index of the Job.
func TestJobManifest(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "examples", "fleet-job.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var job batchv1.Job
	if err := yaml.UnmarshalStrict(text, &job); err != nil {
		t.Fatal(err)
	}
	if *job.Spec.CompletionMode != batchv1.IndexedCompletion || *job.Spec.Completions != 8 {
		t.Errorf("%+v", job.Spec)
	}
	args := job.Spec.Template.Spec.Containers[0].Args
	if args[0] != "backtest" {
		t.Fatalf("the verb is %q", args[0])
	}
	recordings(t, 9)
	t.Setenv("JOB_COMPLETION_INDEX", "7")
	for i, arg := range args {
		arg = strings.ReplaceAll(arg, "/data/recordings", "fleet")
		args[i] = strings.ReplaceAll(strings.ReplaceAll(arg, "/data/results/", ""), "$(JOB_COMPLETION_INDEX)", "7")
	}
	_, stderr, code := execute(args[1:])
	part, err := os.ReadFile("part-7.json")
	if code != exit.OK || err != nil || !strings.Contains(string(part), `"shard":{"index":7,"of":8}`) || !strings.Contains(string(part), `"workload":"w7"`) {
		t.Errorf("exit %d %s: %v\n%s", code, stderr, err, part)
	}
}
