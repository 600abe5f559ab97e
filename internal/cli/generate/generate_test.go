package generate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/cli/golden"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
)

var run = golden.Verb(New)

// TestWrites: what is written is the demand that a replay of the same line has,
// for each shape.
func TestWrites(t *testing.T) {
	for _, shape := range generate.Names() {
		t.Run(shape, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "demand.csv")
			if stdout, stderr, code := run("", shape, "--hours", "6", "--seed", "3", "--mean", "2500m", "--step", "30s", "--to", file); code != 0 || stdout != "" {
				t.Fatalf("exit %d, %q, %s", code, stdout, stderr)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := trace.Read(strings.NewReader(string(text)), trace.Format{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := generate.Parse(shape + "?hours=6&seed=3&mean=2500m&step=30s")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-replayed +written)\n%s", diff)
			}
		})
	}
}

// TestDefaults: a week in minutes, from the Monday on which scripts begin.
func TestDefaults(t *testing.T) {
	stdout, _, code := run("", "daily")
	if n := strings.Count(stdout, "\n"); code != 0 || n != 1+7*24*60 || !strings.HasPrefix(stdout, "time,value\n2026-01-05T00:00:00Z,") {
		t.Errorf("exit %d, %d lines, %.50s", code, n, stdout)
	}
	stdout, _, _ = run("", "daily", "--days", "1", "--start", "2026-03-01T12:00:00Z", "--step", "1h")
	if n := strings.Count(stdout, "\n"); n != 1+24 || !strings.Contains(stdout, "\n"+time.Date(2026, 3, 2, 11, 0, 0, 0, time.UTC).Format(time.RFC3339)) {
		t.Errorf("%d lines, %s", n, stdout)
	}
}

func TestRefusals(t *testing.T) {
	for want, args := range map[string][]string{
		"one shape is needed, got 0: bursty, daily": {},
		"one shape is needed, got 2":                {"daily", "weekly"},
		`no generated demand "lunar"`:               {"lunar"},
		"--days: must be a number between 1 and":    {"daily", "--days", "0"},
		"--hours: must be a number between 1 and":   {"daily", "--hours", "-1"},
		"cannot be used together":                   {"daily", "--hours", "1", "--days", "1"},
		"--mean: \"lots\" is not a quantity":        {"daily", "--mean", "lots"},
		"must be between 1m and":                    {"daily", "--mean", "-1"},
		"--start must be a time":                    {"daily", "--start", "now"},
		"between 1s and 24h":                        {"daily", "--step", "1ms"},
		"no such file or directory":                 {"daily", "--to", "none/demand.csv"},
	} {
		t.Run(want, func(t *testing.T) {
			if stdout, stderr, code := run("", args...); code != 2 || stdout != "" || !strings.Contains(stderr, want) {
				t.Errorf("exit %d, %q, want %q", code, stderr, want)
			}
		})
	}
}
