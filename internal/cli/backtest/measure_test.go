package backtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/cli/exit"
)

// TestScore is worked out by hand: one core for half an hour, then two, of which
// one pod loses half a core-hour, at fifty times its price. The best HPA has two
// pods, and three from half a minute after the change on.
func TestScore(t *testing.T) {
	out, stderr, code := run(t, "--demand", "d.csv", "--score", "--policy", "static:1", "--policy", "static:2", "-o", "json")
	for _, want := range []string{
		`"restarts":0,"t":26,"d":1.5,"bestHPA":{"target":70,"t":2.508333,"unservedPercent":0},"g":-23.297521,` +
			`"bestHPA2":{"target":70,"downWindowSeconds":300,"t":2.508333,"unservedPercent":0},"g2":-23.297521}}`,
		`"t":2,"d":1.5,"bestHPA":{"target":70,"t":2.508333,"unservedPercent":0},"g":0.504132`,
	} {
		if !strings.Contains(out, want) || stderr != "" || code != exit.OK {
			t.Errorf("exit %d %s\n%s\nlacks\n%s", code, stderr, out, want)
		}
	}
	out, _, _ = run(t, "--demand", "d.csv", "--score", "--policy", "static:2")
	if lines := strings.Split(out, "\n"); !strings.HasSuffix(lines[0], "T    D          H      G               H2     G2") ||
		!strings.HasSuffix(lines[1], "2.0  1.5  2.5 (70%)  50.4%  2.5 (70%, 300s)  50.4%") {
		t.Errorf("got\n%s", out)
	}
	out, _, _ = run(t, "--demand", "d.csv", "--score", "--score-start=0", "--policy", "static:2", "-o", "csv")
	if header, row, _ := strings.Cut(out, "\n"); !strings.HasSuffix(header,
		",money,t,d,bestHPA.target,bestHPA.t,bestHPA.unservedPercent,g,bestHPA2.target,bestHPA2.downWindowSeconds,bestHPA2.t,bestHPA2.unservedPercent,g2") ||
		!strings.HasSuffix(row, ",0,2,1.5,70,2.491667,0,0.495798,70,300,2.491667,0,0.495798\n") {
		t.Errorf("got\n%s", out)
	}
}

// TestScoreAtAnEnd: where lost work costs no more than work that is done, the
// highest target is best, and a warning says that the search ends there.
func TestScoreAtAnEnd(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("flat.csv", []byte("time,value\n2026-01-05 00:00:00,1.5\n2026-01-05 00:30:00,1.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := execute([]string{"--plant=ideal", "--demand=flat.csv", "--score", "--score-unserved=1", "--policy=static:1"})
	if code != exit.OK || !strings.Contains(stderr, "warning: --score: the best HPA has a target of 150%, an end of those that were tried") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestScoreRefusals(t *testing.T) {
	for given, want := range map[string]string{
		"--score-unserved=0.5": "--score-unserved must be at least 1",
		"--score-unserved=-1":  "--score-unserved must not be negative",
		"--score-late=-2":      "--score-late must not be negative",
		"--score-start=-1":     "--score-start must not be negative",
		"--score-resize=-1":    "--score-resize must not be negative",
		"--score-resize=much":  `--score-resize: "much" `,
		"--score-late=much":    `--score-late: "much" `,
	} {
		t.Run(given, func(t *testing.T) {
			stdout, stderr, code := run(t, "--demand", "d.csv", "--policy", "static:1", "--score", given)
			if code != exit.Refused || stdout != "" || !strings.HasPrefix(stderr, want) {
				t.Errorf("exit %d: %s\n%s", code, stderr, stdout)
			}
		})
	}
}

// TestScoreOfAFleet: a total has the sums, and shards merge to one run.
func TestScoreOfAFleet(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.csv": "time,value\n2026-01-05 00:00:00,1\n2026-01-05 00:30:00,2\n", "b.csv": "time,value\n2026-01-05 00:00:00,0.6\n2026-01-05 01:00:00,0.6\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(t.TempDir())
	args := []string{"--plant=ideal", "--fleet", dir, "--score", "--policy=static:2", "-o", "json"}
	whole, stderr, code := execute(args)
	// 2 and 4 core-hours, of 1.5 and 1.2; the best HPAs cost 2.508333 and 2.
	if want := `"t":6,"d":2.7,"bestHPA":{"t":4.508333,"unservedPercent":0},"g":-0.82488`; code != exit.OK || !strings.Contains(whole, want) {
		t.Errorf("exit %d %s\n%s\nlacks %s", code, stderr, whole, want)
	}
	for _, part := range []string{"0", "1"} {
		if _, stderr, code := execute(append(args, "--shard", part+"/2", "--to", part+".json")); code != exit.OK {
			t.Errorf("shard %s: exit %d %s", part, code, stderr)
		}
	}
	if merged, stderr, _ := execute([]string{"--merge", "0.json", "1.json", "-o", "json"}); merged != whole {
		t.Errorf("merged\n%s\nwhole\n%s\n%s", merged, whole, stderr)
	}
	if _, stderr, code := execute([]string{"--plant=ideal", "--fleet", dir, "--policy=static:2", "--shard=1/2", "-o=json", "--to=1.json"}); code != exit.OK {
		t.Fatal(stderr)
	}
	if _, stderr, code := execute([]string{"--merge", "0.json", "1.json"}); code != exit.Refused || !strings.Contains(stderr, "other settings") {
		t.Errorf("a shard without a measure: exit %d %s", code, stderr)
	}
}
