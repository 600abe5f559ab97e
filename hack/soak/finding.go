package main

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// finding is a test that failed.
type finding struct {
	dir, test string
	// files are where the case is kept; by is the seed that draws it again.
	files  []string
	by     string
	output string
}

// shown is how many of the last lines of a test's output are.
const shown = 40

func (f finding) String() string {
	lines := strings.Split(strings.TrimSpace(f.output), "\n")
	if len(lines) > shown {
		lines = append([]string{"..."}, lines[len(lines)-shown:]...)
	}
	kept := "kept as " + strings.Join(f.files, ", ")
	if len(f.files) == 0 {
		kept = "no case was kept, it was drawn by " + f.by
	}
	return fmt.Sprintf("\n%s %s failed; %s\nrepeat it by: (cd %s && go test -count=1 -run '^%s$')\n    %s",
		f.dir, f.test, kept, f.dir, f.test, strings.Join(lines, "\n    "))
}

// kept lists the cases that a package's tests have kept.
func kept(dir string) map[string]bool {
	out := map[string]bool{}
	for _, place := range []string{"rapid", "fuzz", "found"} {
		// A folder that is not there keeps nothing.
		_ = filepath.WalkDir(filepath.Join(dir, "testdata", place), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				out[path] = true
			}
			return err
		})
	}
	return out
}
