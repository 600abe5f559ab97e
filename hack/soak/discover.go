package main

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// kind is how a target is made to try something new.
type kind int

const (
	// property draws through internal/checks/draw.
	property kind = iota
	// comparison draws cases by TIDEMARK_SEED, as test/upstream does.
	comparison
	// fuzzing is left to Go's fuzzer.
	fuzzing
)

// drawsBy are the functions that a test of a kind draws with.
var drawsBy = map[string]kind{"draw.Check": property, "seedOf": comparison}

// target is one test that draws.
type target struct {
	name string
	kind kind
	// amount is how much is drawn at a time: as much as its turn has time for.
	amount uint64
	// failed targets have no more turns.
	failed bool
}

// tested is a package with tests that draw.
type tested struct {
	dir     string
	targets []*target
}

// discover reads the tests of every module and finds those that draw. Tests
// behind a build tag are not among them: they need more than a machine.
func discover(root string, chosen *regexp.Regexp) ([]*tested, error) {
	var out []*tested
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "testdata" || (path != root && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		targets, err := targetsIn(path)
		targets = slices.DeleteFunc(targets, func(t *target) bool { return !chosen.MatchString(path + " " + t.name) })
		if len(targets) > 0 {
			out = append(out, &tested{path, targets})
		}
		return err
	})
	return out, err
}

// targetsIn finds the tests of one folder that draw.
func targetsIn(dir string) ([]*target, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	calls := map[string][]string{}
	for _, name := range names {
		if match, err := build.Default.MatchFile(dir, filepath.Base(name)); err != nil || !match {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
				calls[f.Name.Name] = called(f)
			}
		}
	}
	var out []*target
	for name := range calls {
		if strings.HasPrefix(name, "Fuzz") {
			out = append(out, &target{name: name, kind: fuzzing})
		} else if k, ok := draws(calls, name, nil); ok && strings.HasPrefix(name, "Test") {
			out = append(out, &target{name: name, kind: k, amount: 100})
		}
	}
	slices.SortFunc(out, func(a, b *target) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// called lists what a function calls, or passes on to be called.
func called(f *ast.FuncDecl) []string {
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				out = append(out, x.Name+"."+n.Sel.Name)
			}
		case *ast.Ident:
			out = append(out, n.Name)
		}
		return true
	})
	return out
}

// draws tells whether a function draws, itself or through others of its
// package, and how.
func draws(calls map[string][]string, name string, above []string) (kind, bool) {
	if slices.Contains(above, name) {
		return 0, false
	}
	for _, callee := range calls[name] {
		if k, ok := drawsBy[callee]; ok {
			return k, true
		}
		if k, ok := draws(calls, callee, append(above, name)); ok {
			return k, true
		}
	}
	return 0, false
}
