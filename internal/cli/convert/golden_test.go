package convert

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/cli/exit"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden converts every manifest of testdata and compares the objects, the
// report, the decisions and what is said on standard error with the files
// beside it.
func TestGolden(t *testing.T) {
	inputs, err := filepath.Glob("testdata/*.[yj][as][mo][ln]")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no manifests: %v", err)
	}
	for _, input := range inputs {
		name := strings.TrimSuffix(filepath.Base(input), filepath.Ext(input))
		t.Run(name, func(t *testing.T) {
			objects, notes := run(t, "-f", input)
			table, _ := run(t, "-f", input, "--report", "table")
			diff, _ := run(t, "-f", input, "--diff")
			compare(t, filepath.Join("testdata", name+".golden"), objects+"\n===== standard error\n"+notes+"\n===== report\n"+table+"\n===== diff\n"+diff)
		})
	}
}

func run(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := New()
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	if code, untold := exit.Of(cmd.Execute()); code != exit.OK {
		if untold {
			t.Errorf("%v failed without a word", args)
		}
		errs.WriteString("exit 2\n")
	}
	return out.String(), errs.String()
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func TestFormsOfTheAnswer(t *testing.T) {
	objects, _ := run(t, "-f", "testdata/many.yaml", "-o", "json")
	if lines := strings.Split(strings.TrimSpace(objects), "\n"); len(lines) != 2 || !json.Valid([]byte(lines[0])) {
		t.Errorf("want two objects, one a line, got %q", objects)
	}
	reports, _ := run(t, "-f", "testdata/wpa.yaml", "--report", "json")
	for _, want := range []string{`"kind":"WatermarkPodAutoscaler"`, `{"path":"spec.algorithm","fate":"Changed","to":"spec.metrics"`} {
		if !strings.Contains(reports, want) {
			t.Errorf("the report lacks %s: %s", want, reports)
		}
	}
}

// TestDiffIsAnnounced checks the exit code: a difference that the report
// announces is none to fail for.
func TestDiffIsAnnounced(t *testing.T) {
	text, notes := run(t, "-f", "testdata/wpa.yaml", "--diff", "-o", "json")
	var comparison struct {
		Kind string
		Rows []struct {
			Old     *int32
			New     int32
			Because []string
		}
	}
	if err := json.Unmarshal([]byte(text), &comparison); err != nil || notes != "" {
		t.Fatalf("want one comparison and no complaint, got %v, %q", err, notes)
	}
	differ := 0
	for _, r := range comparison.Rows {
		if r.Old != nil && *r.Old != r.New {
			differ++
			if len(r.Because) == 0 {
				t.Errorf("not announced: %+v", r)
			}
		}
	}
	if comparison.Kind != "WatermarkPodAutoscaler" || differ == 0 {
		t.Errorf("want a WPA that decides differently somewhere, got %+v", comparison)
	}
}

func TestBadUsage(t *testing.T) {
	for _, args := range [][]string{{"--diff", "--report", "table"}, {"--diff", "-o", "yaml", "-f", "testdata/wpa.yaml"}, {"--report", "xml"},
		{"-o", "xml"}, {"-f", "testdata/none.yaml"}, {"word"}, {"testdata/wpa.yaml", "none"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			cmd := New()
			cmd.SetArgs(args)
			cmd.SetIn(strings.NewReader(""))
			cmd.SilenceErrors, cmd.SilenceUsage = true, true
			if code, untold := exit.Of(cmd.Execute()); code != exit.Refused || !untold {
				t.Errorf("%v: want a usage error, got exit %d", args, code)
			}
		})
	}
}
