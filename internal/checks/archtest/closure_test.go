package archtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// core are the packages whose answers must be the same everywhere and always.
var core = []string{module + "/scale/...", module + "/engine/...", module + "/explain/...", module + "/internal/replay/sim/..."}

// TestTheCoreLinksNothingElse looks at everything that the core links, not only
// at what it imports itself: packages of this module, each without a clock, a
// logger or anything else that is impure, and no module of others, Kubernetes
// least of all. The standard library may do inside what it likes, because even
// fmt opens files.
func TestTheCoreLinksNothingElse(t *testing.T) {
	linked := map[string]pkg{}
	for _, p := range list(t, append([]string{"-deps"}, core...)...) {
		linked[p.ImportPath] = p
	}
	for _, p := range list(t, core...) {
		for _, fault := range impurities(t, p.ImportPath, linked) {
			t.Error(fault)
		}
	}
}

// impurities says what a package links that it must not, and by which way.
func impurities(t *testing.T, from string, linked map[string]pkg) (faults []string) {
	t.Helper()
	seen := map[string]bool{}
	var visit func(way []string)
	visit = func(way []string) {
		path := way[len(way)-1]
		if seen[path] {
			return
		}
		seen[path] = true
		told := strings.ReplaceAll(strings.Join(way, " → "), module+"/", "")
		if !strings.HasPrefix(path, module+"/") {
			faults = append(faults, told+": links code of others, of which nobody knows what it reads")
			return
		}
		for _, use := range clocksIn(t, linked[path]) {
			faults = append(faults, told+": "+use)
		}
		for _, imported := range linked[path].Imports {
			if why, bad := impure[imported]; bad {
				faults = append(faults, fmt.Sprintf("%s → %s: %s", told, imported, why))
			} else if !isStandard(imported) {
				visit(append(slices.Clone(way), imported))
			}
		}
	}
	visit([]string{from})
	return faults
}

// TestImpuritiesAreFound, however far away they are.
func TestImpuritiesAreFound(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "now.go"), []byte("package now\n\nvar now = time.Now()\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	linked := map[string]pkg{}
	for path, imports := range map[string][]string{
		"sim": {"fmt", module + "/learner"}, "learner": {module + "/history", module + "/now", "sort"},
		"history": {"k8s.io/autoscaler/util", "log/slog", "math/rand/v2"}, "now": {"time"},
	} {
		linked[module+"/"+path] = pkg{Imports: imports}
	}
	linked[module+"/now"] = pkg{Imports: []string{"time"}, Dir: dir, GoFiles: []string{"now.go"}}
	all := impurities(t, module+"/sim", linked)
	for _, want := range []string{
		"sim → learner → history → k8s.io/autoscaler/util: links code of others", "sim → learner → history → log/slog: steps say why",
		"sim → learner → history → math/rand/v2: ", "sim → learner → now: ",
	} {
		t.Run(want, func(t *testing.T) {
			if !slices.ContainsFunc(all, func(found string) bool { return strings.HasPrefix(found, want) }) {
				t.Errorf("%s was not found among %q", want, all)
			}
		})
	}
	if len(all) != 4 {
		t.Errorf("found %q", all)
	}
}
