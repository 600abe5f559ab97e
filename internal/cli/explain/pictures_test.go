package explain

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the pictures and tables of docs")

const images = "../../../docs/images"

// TestPictures: every spec in docs/images has its picture beside it, as the
// verb draws it now.
func TestPictures(t *testing.T) {
	specs, err := filepath.Glob(images + "/*.yaml")
	if err != nil || len(specs) == 0 {
		t.Fatalf("no specs in %s: %v", images, err)
	}
	for _, spec := range specs {
		t.Run(filepath.Base(spec), func(t *testing.T) {
			drawn, stderr, err := run(t, "", "--intervals", "-f", spec, "-o", "svg")
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr)
			}
			compare(t, strings.TrimSuffix(spec, ".yaml")+".svg", drawn)
		})
	}
}

// compare holds a file against what it should be, or rewrites it.
func compare(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is out of date: run go test ./internal/cli/explain -update", path)
	}
}
