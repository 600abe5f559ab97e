package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLiveTestsHaveALane: a test that says neither that it is alone nor that others may
// run beside it would run in both lanes.
func TestLiveTestsHaveALane(t *testing.T) {
	names, err := filepath.Glob(root + "/test/e2e/*_test.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("no live tests: %v", err)
	}
	for _, name := range names {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if ok && strings.HasPrefix(f.Name.Name, "Test") && f.Name.Name != "TestMain" && !choosesALane(f.Body) {
				t.Errorf("%s: %s must call alone(t), beside(t) or share(t)", files.Position(f.Pos()), f.Name.Name)
			}
		}
	}
}

// choosesALane tells whether a body calls one of the functions that do.
func choosesALane(s ast.Node) (does bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			name, ok := call.Fun.(*ast.Ident)
			does = does || ok && slices.Contains([]string{"alone", "beside", "share"}, name.Name)
		}
		return !does
	})
	return does
}
