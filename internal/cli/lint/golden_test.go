package lint

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/tidemark/tidemark/internal/cli/exit"
)

var update = flag.Bool("update", false, "rewrite what the golden files say was printed")

// TestGolden runs every testdata/*.txtar. A file says in its comment what it
// shows and why that is right, and then holds the flags (args), standard input
// (stdin), the files that are there, what was printed (stdout, stderr, exit),
// and below after/ the files as they are afterwards. What was printed is
// rewritten by -update; what is below after/ is not.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, path) })
	}
}

// printed are the parts that hold what a run wrote.
var printed = []string{"stdout", "stderr", "exit"}

func golden(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
		if slices.Contains(append(printed, "args", "stdin"), f.Name) || strings.HasPrefix(f.Name, "after/") {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]string{}
	var code int
	got["stdout"], got["stderr"], code = run(parts["stdin"], strings.Fields(parts["args"])...)
	got["exit"] = strconv.Itoa(code) + "\n"
	checkAfter(t, parts)
	if *update {
		rewrite(t, path, archive, got)
		return
	}
	for _, name := range printed {
		if diff := cmp.Diff(parts[name], got[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// checkAfter compares the files below after/ with what the run left.
func checkAfter(t *testing.T, parts map[string]string) {
	for name, want := range parts {
		file, ok := strings.CutPrefix(name, "after/")
		if !ok {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(want, string(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

// run runs the verb as the root command does.
func run(stdin string, args ...string) (stdout, stderr string, code int) {
	var out, told bytes.Buffer
	cmd := New()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(append([]string{}, args...))
	cmd.SetIn(strings.NewReader(stdin))
	cmd.SetOut(&out)
	cmd.SetErr(&told)
	err := cmd.ExecuteContext(context.Background())
	code, untold := exit.Of(err)
	if untold {
		fmt.Fprintf(&told, "Error: %v\n", err)
	}
	return out.String(), told.String(), code
}

// rewrite puts what was printed into the file; what is empty is left out.
func rewrite(t *testing.T, path string, archive *txtar.Archive, got map[string]string) {
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return slices.Contains(printed, f.Name) })
	for _, name := range printed {
		if got[name] != "" {
			archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(got[name])})
		}
	}
	if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
		t.Fatal(err)
	}
}
