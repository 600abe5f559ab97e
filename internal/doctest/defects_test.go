package doctest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const defectCount = 35

var (
	defectRow    = regexp.MustCompile(`^\| (E\d+) \|`)
	defectScript = regexp.MustCompile(`\]\(\.\./(spec/defects/[^)]+)\)`)
)

// TestDefects holds the table of defects against the folder of scripts: each
// defect has one row, each script is named by the row of its own number.
func TestDefects(t *testing.T) {
	rows, named := map[string]int{}, map[string]bool{}
	for line := range strings.Lines(read(t, "docs/defects.md")) {
		match := defectRow.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		rows[match[1]]++
		if cells := strings.Count(line, " | "); cells != 3 {
			t.Errorf("the row of %s has %d cells, not 4", match[1], cells+1)
		}
		for _, script := range defectScript.FindAllStringSubmatch(line, -1) {
			path := script[1]
			named[path] = true
			var number int
			fmt.Sscanf(match[1], "E%d", &number)
			if !strings.HasPrefix(filepath.Base(path), fmt.Sprintf("e%02d-", number)) {
				t.Errorf("the row of %s names %s, a script of another defect", match[1], path)
			}
			if _, err := os.Stat(filepath.Join(root, path)); err != nil {
				t.Errorf("the row of %s names %s, which does not exist", match[1], path)
			}
		}
	}
	for i := range defectCount {
		if id := fmt.Sprintf("E%d", i+1); rows[id] != 1 {
			t.Errorf("%s has %d rows in docs/defects.md, not one", id, rows[id])
		}
	}
	if len(rows) != defectCount {
		t.Errorf("docs/defects.md has rows for %d defects, not %d", len(rows), defectCount)
	}
	scripts, err := filepath.Glob(filepath.Join(root, "spec", "defects", "*.scale"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range scripts {
		if name := "spec/defects/" + filepath.Base(path); !named[name] {
			t.Errorf("docs/defects.md does not name %s", name)
		}
	}
}
