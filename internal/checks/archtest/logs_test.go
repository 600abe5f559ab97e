package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"testing"
)

// What a message and a key of a log look like, as everywhere in Kubernetes.
// That keys come with values, and hold no formatting, is for the linters.
var (
	messageForm = regexp.MustCompile(`^[A-Z]`)
	keyForm     = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)
)

// TestLogs: a person reads the message, a program the keys.
func TestLogs(t *testing.T) {
	read := 0
	eachFile(t, func(path string) bool { return !isTest(path) }, func(files *token.FileSet, file *ast.File) {
		read++
		for _, fault := range oddLogs(files, file) {
			t.Error(fault)
		}
	})
	if read == 0 {
		t.Error("no file was read")
	}
}

// oddLogs lists the messages and keys of a file that have another form.
func oddLogs(files *token.FileSet, file *ast.File) []string {
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		first, ok := message(call)
		for i := first; ok && i < len(call.Args); i++ {
			literal, constant := call.Args[i].(*ast.BasicLit)
			form := keyForm
			if i == first {
				form = messageForm
			} else if (i-first)%2 == 0 {
				continue
			}
			if !constant || literal.Kind != token.STRING {
				continue
			}
			if text, _ := strconv.Unquote(literal.Value); !form.MatchString(text) {
				out = append(out, fmt.Sprintf("%s: %s: messages start with a capital, keys are lowerCamel", files.Position(literal.Pos()), literal.Value))
			}
		}
		return true
	})
	return out
}

// message is the place of the message in a call that logs.
func message(call *ast.CallExpr) (int, bool) {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !logger(method.X) {
		return 0, false
	}
	place, ok := map[string]int{"Info": 0, "InfoS": 0, "Warn": 0, "Error": 1, "ErrorS": 1}[method.Sel.Name]
	return place, ok
}

// logger tells whether an expression is a logger by its name: log, klog, or
// what log.FromContext and V give.
func logger(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name == "log" || x.Name == "klog"
	case *ast.CallExpr:
		method, ok := x.Fun.(*ast.SelectorExpr)
		return ok && logger(method.X)
	}
	return false
}

// TestOddLogsAreFound gives the rule something to find.
func TestOddLogsAreFound(t *testing.T) {
	for source, faults := range map[string]int{
		`log.Info("Changed", "from", 1)`:                                      0,
		`log.Info("changed")`:                                                 1,
		`log.FromContext(ctx).V(1).Info("Changed", "serving until", 1)`:       1,
		`log.FromContext(ctx).Error(err, "read", "File", 1, "name", "Other")`: 2,
		`t.Error("anything")`:                                                 0,
	} {
		t.Run(source, func(t *testing.T) {
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, "", "package p; func f() { "+source+" }", 0)
			if err != nil {
				t.Fatal(err)
			}
			if found := oddLogs(files, file); len(found) != faults {
				t.Errorf("want %d faults, got %q", faults, found)
			}
		})
	}
}
