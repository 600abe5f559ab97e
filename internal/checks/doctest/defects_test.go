package doctest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// families are the lists of defects: how many each has, and where its scripts
// are.
var families = []struct {
	letter string
	count  int
	folder string
}{{"E", 35, "spec/defects"}, {"F", 34, "spec/hvpa-defects"}}

// TestDefects holds the tables of defects against the folders of scripts: each
// defect has one row, each script is named by the row of its own number.
func TestDefects(t *testing.T) {
	for _, f := range families {
		row := regexp.MustCompile(`^\| (` + f.letter + `\d+) \|`)
		link := regexp.MustCompile(`\]\(\.\./(` + f.folder + `/[^)]+)\)`)
		rows, named := map[string]int{}, map[string]bool{}
		for line := range strings.Lines(read(t, "docs/defects.md")) {
			match := row.FindStringSubmatch(line)
			if match == nil {
				continue
			}
			rows[match[1]]++
			if cells := strings.Count(line, " | "); cells != 3 {
				t.Errorf("the row of %s has %d cells, not 4", match[1], cells+1)
			}
			for _, script := range link.FindAllStringSubmatch(line, -1) {
				named[script[1]] = true
				checkNumber(t, match[1], script[1])
			}
		}
		for i := range f.count {
			if id := fmt.Sprintf("%s%d", f.letter, i+1); rows[id] != 1 {
				t.Errorf("%s has %d rows in docs/defects.md, not one", id, rows[id])
			}
		}
		if len(rows) != f.count {
			t.Errorf("docs/defects.md has rows for %d defects %s, not %d", len(rows), f.letter, f.count)
		}
		checkNamed(t, f.folder, named)
	}
}

// checkNumber: a row names scripts of its own defect that exist.
func checkNumber(t *testing.T, id, path string) {
	t.Helper()
	number, err := strconv.Atoi(id[1:])
	if err != nil {
		t.Fatalf("the row of %s: %v", id, err)
	}
	if !strings.HasPrefix(filepath.Base(path), fmt.Sprintf("%s%02d-", strings.ToLower(id[:1]), number)) {
		t.Errorf("the row of %s names %s, a script of another defect", id, path)
	}
	if _, err := os.Stat(filepath.Join(root, path)); err != nil {
		t.Errorf("the row of %s names %s, which does not exist", id, path)
	}
}

// checkNamed: every script of a folder is named.
func checkNamed(t *testing.T, folder string, named map[string]bool) {
	t.Helper()
	scripts, err := filepath.Glob(filepath.Join(root, folder, "*.scale"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range scripts {
		if name := folder + "/" + filepath.Base(path); !named[name] {
			t.Errorf("docs/defects.md does not name %s", name)
		}
	}
}
