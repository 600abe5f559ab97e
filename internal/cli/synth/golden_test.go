package synth

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/tidemark/tidemark/internal/cli/exit"
)

var update = flag.Bool("update", false, "rewrite what the golden files say was printed")

// TestGolden runs every testdata/*.txtar. A file says in its comment what it
// shows, and then holds the flags, standard input, and what was printed, which
// -update rewrites.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	got := map[string]string{}
	var code int
	got["stdout"], got["stderr"], code = synth(parts["stdin"], strings.Fields(parts["args"])...)
	got["exit"] = strconv.Itoa(code) + "\n"
	if *update {
		rewrite(t, file, archive, got)
		return
	}
	for _, name := range []string{"exit", "stderr", "stdout"} {
		if diff := cmp.Diff(parts[name], got[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// synth runs the verb as the root command does.
func synth(stdin string, args ...string) (stdout, stderr string, code int) {
	var out, told bytes.Buffer
	cmd := New()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(append([]string{}, args...))
	cmd.SetIn(strings.NewReader(stdin))
	cmd.SetOut(&out)
	cmd.SetErr(&told)
	err := cmd.Execute()
	code, untold := exit.Of(err)
	if untold {
		_, _ = io.WriteString(&told, fmt.Sprintf("Error: %v\n", err))
	}
	return out.String(), told.String(), code
}

// rewrite puts what was printed into the file; what is empty is left out.
func rewrite(t *testing.T, path string, archive *txtar.Archive, got map[string]string) {
	kept := archive.Files[:0]
	for _, f := range archive.Files {
		if _, printed := got[f.Name]; !printed {
			kept = append(kept, f)
		}
	}
	archive.Files = kept
	for _, name := range []string{"stdout", "stderr", "exit"} {
		if got[name] != "" {
			archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(got[name])})
		}
	}
	if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
		t.Fatal(err)
	}
}
