package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// clocks are the functions of package time that read the clock or wait for it.
var clocks = map[string]bool{
	"Now": true, "Since": true, "Until": true, "After": true, "AfterFunc": true,
	"Tick": true, "NewTicker": true, "NewTimer": true, "Sleep": true,
}

// TestNoClock makes sure that time reaches pure packages as an argument only.
func TestNoClock(t *testing.T) {
	for _, p := range packages(t) {
		if r, _ := ruleOf(p.ImportPath); !r.pure {
			continue
		}
		for _, use := range clocksIn(t, p) {
			t.Error(use)
		}
	}
}

// clocksIn says where a package looks at a clock.
func clocksIn(t *testing.T, p pkg) (uses []string) {
	t.Helper()
	for _, name := range p.GoFiles {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" && clocks[sel.Sel.Name] {
				uses = append(uses, fmt.Sprintf("%s uses time.%s: time is an argument here", files.Position(sel.Pos()), sel.Sel.Name))
			}
			return true
		})
	}
	return uses
}

// floatFiles are the only files of pure packages that may name a float: the
// upstream HPA's own arithmetic, the VPA's histograms, gauges, and rivals whose
// authors define them in floating-point numbers: decayed histograms, standard
// deviations, Fourier transforms and the prices that they are tuned by.
var floatFiles = map[string]bool{
	"engine/horizontal/upstream.go": true,
	"engine/limit/velocity.go":      true,
	"explain/gauges.go":             true,
	"internal/history/histogram.go": true,

	"internal/replay/rivals/autopilot.go":    true,
	"internal/replay/rivals/autopilot_ml.go": true,
	"internal/replay/rivals/captain.go":      true,
	"internal/replay/rivals/cheapest.go":     true,
	"internal/replay/rivals/crane.go":        true,
	"internal/replay/rivals/fft.go":          true,
	"internal/replay/rivals/histogram.go":    true,
	"internal/replay/rivals/period.go":       true,
}

// TestNoFloats makes sure that decisions are exact: where no float exists, none
// can be cast to an integer.
func TestNoFloats(t *testing.T) {
	for _, p := range packages(t) {
		if r, _ := ruleOf(p.ImportPath); !r.pure {
			continue
		}
		for _, name := range p.GoFiles {
			place := p.ImportPath[len(module)+1:] + "/" + name
			if floatFiles[place] {
				continue
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && (id.Name == "float64" || id.Name == "float32") {
					t.Errorf("%s names a float: arithmetic here is exact", files.Position(id.Pos()))
				}
				return true
			})
		}
	}
}
