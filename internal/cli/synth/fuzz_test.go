package synth

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/policy"
)

// FuzzCompact: whatever the input, the verb ends, says why it refuses, and
// what it writes is the same every time and is understood by the rest of the
// program.
func FuzzCompact(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range archive.Files {
			if part.Name == "stdin" {
				f.Add(string(part.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		stdout, stderr, code := synth(text, "--kind", "WorkloadAutoscaler")
		if again, _, _ := synth(text, "--kind", "WorkloadAutoscaler"); again != stdout {
			t.Errorf("not the same twice:\n%s\n%s", stdout, again)
		}
		if (code == 0) != (stdout != "") || code != 0 && stderr == "" {
			t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
		}
		compiles(t, stdout)
		hpa, _, _ := synth(text, "--kind", "HorizontalPodAutoscaler")
		if strings.Contains(hpa, "\nstatus:") {
			t.Errorf("status must not be written:\n%s", hpa)
		}
	})
}

// TestEveryGoldenObjectCompiles: what the golden files print is understood.
func TestEveryGoldenObjectCompiles(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range txtar.Parse(text).Files {
			if part.Name == "stdout" {
				compiles(t, string(part.Data))
			}
		}
	}
}

// compiles reads each WorkloadAutoscaler that was written, strictly, and
// compiles it.
func compiles(t *testing.T, stdout string) {
	t.Helper()
	sources, faults := strict.Split([]byte(stdout))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for _, s := range sources {
		doc, faults := s.Parse()
		if len(faults) > 0 {
			t.Fatalf("%v in\n%s", faults, stdout)
		}
		var whole tree
		if _ = doc.Decode(&whole); whole.text("apiVersion") != v1alpha1.GroupVersion.String() {
			continue
		}
		var object v1alpha1.WorkloadAutoscaler
		if faults := doc.Decode(&object); len(faults) > 0 {
			t.Fatalf("%v in\n%s", faults, stdout)
		}
		if _, err := policy.Compile(object.Spec, v1alpha1.AdminSettings{}); err != nil {
			t.Errorf("%v in\n%s", err, stdout)
		}
	}
}
