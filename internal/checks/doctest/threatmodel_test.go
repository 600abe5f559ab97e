package doctest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	threatRow    = regexp.MustCompile(`(?m)^\| [^|]+ \| [^|]+ \| ([^|]*)\|$`)
	namedTest    = regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
)

// TestTheThreatModelNamesTests: every test that it names exists, in one of the
// modules, and the threats that no test shows are few.
func TestTheThreatModelNamesTests(t *testing.T) {
	exists := everyTest(t)
	_, threats, found := strings.Cut(read(t, "docs/threat-model.md"), "\n## Threats\n")
	rows := threatRow.FindAllStringSubmatch(threats, -1)
	if !found || len(rows) < 30 {
		t.Fatalf("docs/threat-model.md lists %d threats", len(rows))
	}
	unshown := 0
	for _, row := range rows {
		named := namedTest.FindAllStringSubmatch(row[1], -1)
		if len(named) == 0 && !strings.HasPrefix(row[1], "shown by") && !strings.HasPrefix(row[1], "---") {
			unshown++
		}
		for _, name := range named {
			if !exists[name[1]] {
				t.Errorf("docs/threat-model.md names %s, which does not exist", name[1])
			}
		}
	}
	if unshown > 3 {
		t.Errorf("%d threats are shown by no test, not at most 3", unshown)
	}
}

// everyTest are the names of all tests of the repository.
func everyTest(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == ".git" || filepath.ToSlash(path) == root+"/bin") {
			if err == nil {
				err = filepath.SkipDir
			}
			return err
		}
		if d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, match := range testFunction.FindAllStringSubmatch(string(text), -1) {
			names[match[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
