package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// rowsAtSight are as many cases as a message tells apart by itself.
const rowsAtSight = 3

// TestTablesAreSubtests: a case has a name to run it by, and one that ends its
// test ends no other.
func TestTablesAreSubtests(t *testing.T) {
	read := 0
	eachFile(t, isTest, func(files *token.FileSet, file *ast.File) {
		read++
		for _, fault := range plainTables(files, file) {
			t.Error(fault)
		}
	})
	if read == 0 {
		t.Error("no test was read")
	}
}

// plainTables lists the loops over a table that fail without a subtest.
func plainTables(files *token.FileSet, file *ast.File) []string {
	var out []string
	tables := map[string]*ast.CompositeLit{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			// What a case loops over is its own business, and a bubble of
			// testing/synctest has no subtests.
			into, ok := n.Fun.(*ast.SelectorExpr)
			return !ok || into.Sel.Name != "Run" && into.Sel.Name != "Test"
		case *ast.FuncDecl:
			tables = map[string]*ast.CompositeLit{}
		case *ast.AssignStmt:
			if name, ok := n.Lhs[0].(*ast.Ident); ok && len(n.Rhs) == 1 {
				tables[name.Name], _ = n.Rhs[0].(*ast.CompositeLit)
			}
		case *ast.RangeStmt:
			table, _ := n.X.(*ast.CompositeLit)
			if name, ok := n.X.(*ast.Ident); ok {
				table = tables[name.Name]
			}
			if table != nil && len(table.Elts) > rowsAtSight && calls(n.Body, "Error", "Errorf", "Fatal", "Fatalf") && !calls(n.Body, "Run") {
				out = append(out, fmt.Sprintf("%s: a table of %d cases without t.Run", files.Position(n.Pos()), len(table.Elts)))
			}
		}
		return true
	})
	return out
}

// calls tells whether t is asked for one of these here, not in a helper.
func calls(body *ast.BlockStmt, methods ...string) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := call.X.(*ast.Ident); ok && x.Name == "t" {
				for _, method := range methods {
					found = found || call.Sel.Name == method
				}
			}
		}
		return !found
	})
	return found
}

// TestPlainTablesAreFound gives the rule something to find.
func TestPlainTablesAreFound(t *testing.T) {
	for body, faults := range map[string]int{
		`for _, n := range []int{1, 2, 3, 4} { t.Errorf("%d", n) }`:                                  1,
		`cases := []int{1, 2, 3, 4}; for _, n := range cases { if n > 3 { t.Fatal(n) } }`:            1,
		`for _, n := range []int{1, 2, 3, 4} { t.Run("", func(t *testing.T) { t.Errorf("%d", n) })}`: 0,
		`for _, n := range []int{1, 2, 3} { t.Errorf("%d", n) }`:                                     0,
		`for _, n := range []int{1, 2, 3, 4} { check(t, n) }`:                                        0,
	} {
		t.Run(body, func(t *testing.T) {
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, "", "package p; func TestX(t *testing.T) { "+body+" }", 0)
			if err != nil {
				t.Fatal(err)
			}
			if found := plainTables(files, file); len(found) != faults {
				t.Errorf("want %d faults, got %q", faults, found)
			}
		})
	}
}
