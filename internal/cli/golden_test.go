package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite what the golden files say was printed")

// TestGolden runs every testdata/*/*.txtar. A file says in its comment what it
// shows and why the result is right, and then holds:
//
//	args     the command line
//	stdin    standard input, if any
//	expect   facts of the answers, worked out by hand (see expect_test.go)
//	stdout, stderr, exit   what was printed; -update rewrites these three
//
// Every other file is there when the command runs.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(strings.TrimPrefix(file, "testdata/"), ".txtar"), func(t *testing.T) { golden(t, path) })
	}
}

func golden(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	t.Chdir(t.TempDir())
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
		if err := os.WriteFile(f.Name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	args := append([]string{"tidemark"}, strings.Fields(parts["args"])...)
	code := Main(args, strings.NewReader(parts["stdin"]), &stdout, &stderr)
	checkFacts(t, parts["expect"], stdout.Bytes())
	got := map[string]string{"stdout": stdout.String(), "stderr": stderr.String(), "exit": strconv.Itoa(code) + "\n"}
	if *update {
		rewrite(t, path, archive, got)
		return
	}
	for _, name := range []string{"exit", "stderr", "stdout"} {
		if diff := cmp.Diff(parts[name], got[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
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
		t.Fatal(fmt.Errorf("rewriting: %w", err))
	}
}
