package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// waits are the functions of test/e2e that wait for something, with the place
// of the argument that says how long.
var waits = map[string]int{"eventually": 1, "poll": 0}

// TestLiveTestsArePatient: a test that waits for less than the product's own
// longest back-off fails by chance, on a busy machine first.
func TestLiveTestsArePatient(t *testing.T) {
	names, err := filepath.Glob(root + "/test/e2e/*_test.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("no live tests: %v", err)
	}
	found := 0
	for _, name := range names {
		if filepath.Base(name) == "wait_test.go" {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			function, ok := call.Fun.(*ast.Ident)
			if !ok {
				return true
			}
			place, ok := waits[function.Name]
			if !ok || place >= len(call.Args) {
				return true
			}
			found++
			if !patient(call.Args[place]) {
				t.Errorf("%s: wait for patience, which is longer than any back-off; what comes early ends the wait early", files.Position(call.Pos()))
			}
			return true
		})
	}
	if found == 0 {
		t.Error("no live test waits for anything, or the functions have other names now")
	}
}

// patient tells whether a time is patience, or so many times that.
func patient(long ast.Expr) bool {
	if times, ok := long.(*ast.BinaryExpr); ok {
		if n, ok := times.X.(*ast.BasicLit); ok && times.Op == token.MUL && n.Kind == token.INT && n.Value != "0" {
			long = times.Y
		}
	}
	name, ok := long.(*ast.Ident)
	return ok && name.Name == "patience"
}
