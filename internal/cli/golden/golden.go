package golden

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"golang.org/x/tools/txtar"

	"github.com/tidemark/tidemark/internal/cli/exit"
)

var update = flag.Bool("update", false, "rewrite what the golden files say was printed")

// Run runs a command line with some standard input, and returns what it wrote
// and its exit code.
type Run func(stdin string, args ...string) (stdout, stderr string, code int)

// Verb runs one verb as the root command does.
func Verb(verb func() *cobra.Command) Run {
	return func(stdin string, args ...string) (stdout, stderr string, code int) {
		var out, told bytes.Buffer
		cmd := verb()
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetArgs(append([]string{}, args...))
		cmd.SetIn(strings.NewReader(stdin))
		cmd.SetOut(&out)
		cmd.SetErr(&told)
		err := cmd.Execute()
		code, untold := exit.Of(err)
		if untold {
			fmt.Fprintf(&told, "Error: %v\n", err)
		}
		return out.String(), told.String(), code
	}
}

// The parts of a file that are not files of the run.
var (
	asked   = []string{"args", "stdin", "expect"}
	printed = []string{"stdout", "stderr", "exit"}
)

// Test runs every txtar file of a pattern below testdata. A file says in its
// comment what it shows and why the result is right, and then holds:
//
//	args     the command line
//	stdin    standard input, if any
//	expect   facts of what was printed, worked out by hand, for check
//	stdout, stderr, exit   what was printed; -update rewrites these three
//	after/…  files as they are afterward, worked out by hand
//
// Every other file is there when the command runs. Check may be nil.
func Test(t *testing.T, pattern string, run Run, check func(t *testing.T, expect, stdout string)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(strings.TrimPrefix(file, "testdata/"), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			parts := lay(t, archive)
			stdout, stderr, code := run(parts["stdin"], strings.Fields(parts["args"])...)
			if check != nil {
				check(t, parts["expect"], stdout)
			}
			compareFiles(t, parts)
			compare(t, path, archive, map[string]string{"stdout": stdout, "stderr": stderr, "exit": strconv.Itoa(code) + "\n"})
		})
	}
}

// lay puts the files of an archive into an empty folder, which becomes the
// working one.
func lay(t *testing.T, archive *txtar.Archive) map[string]string {
	t.Chdir(t.TempDir())
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
		if slices.Contains(asked, f.Name) || slices.Contains(printed, f.Name) || strings.HasPrefix(f.Name, "after/") {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return parts
}

// compareFiles compares the files below after/ with what the run left.
func compareFiles(t *testing.T, parts map[string]string) {
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

// compare compares what was printed, or rewrites the file; what is empty is left
// out there.
func compare(t *testing.T, path string, archive *txtar.Archive, got map[string]string) {
	want := map[string]string{}
	for _, f := range archive.Files {
		want[f.Name] = string(f.Data)
	}
	for _, name := range printed {
		if diff := cmp.Diff(want[name], got[name]); diff != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if !*update {
		return
	}
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
