package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The root of the repository, and the one package that may let rapid choose.
const root, drawing = "../../..", "internal/checks/draw"

// seeded are the functions of math/rand/v2 that give back the same each time,
// as long as the numbers they are given are the same.
var seeded = []string{"New", "NewPCG", "NewChaCha8", "NewZipf"}

// chance says why an import, or a function of one, has no place in a test, or
// nothing.
func chance(imported, function string) string {
	switch {
	case imported == "pgregory.net/rapid" && slices.Contains([]string{"Check", "MakeCheck"}, function):
		return "draws something else each time: use draw.Check of " + module + "/" + drawing
	case imported == "math/rand" || imported == "testing/quick":
		return "draws something else each time: use draw.Check, or math/rand/v2 with constant seeds"
	case imported == "math/rand/v2" && !slices.Contains(seeded, function) && ast.IsExported(function) && function != "Rand":
		return "draws something else each time: use a generator with constant seeds"
	}
	return ""
}

// TestNothingIsLeftToChance reads the tests of every module: what they try is
// the same each time. What is new is drawn by `make soak`.
func TestNothingIsLeftToChance(t *testing.T) {
	read := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || filepath.ToSlash(path) == root+"/bin" || filepath.ToSlash(path) == root+"/"+drawing) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		read++
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		for _, fault := range leftToChance(files, file) {
			t.Error(fault)
		}
		return nil
	})
	if err != nil || read == 0 {
		t.Fatalf("%d tests were read: %v", read, err)
	}
}

// leftToChance lists what a file leaves to chance.
func leftToChance(files *token.FileSet, file *ast.File) []string {
	imports := map[string]string{}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		name := strings.TrimSuffix(path, "/v2")
		name = name[strings.LastIndex(name, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = path
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := call.X.(*ast.Ident); ok {
				if why := chance(imports[x.Name], call.Sel.Name); why != "" {
					out = append(out, fmt.Sprintf("%s: %s.%s %s", files.Position(call.Pos()), x.Name, call.Sel.Name, why))
				}
			}
		}
		return true
	})
	return out
}

// TestChanceIsFound gives the rule something to find.
func TestChanceIsFound(t *testing.T) {
	for source, faults := range map[string]int{
		`import "pgregory.net/rapid"; func f() { rapid.Check(nil, nil); rapid.MakeCheck(nil) }`:     2,
		`import "pgregory.net/rapid"; func f(t *rapid.T) { rapid.Int().Draw(t, "") }`:               0,
		`import other "pgregory.net/rapid"; func f() { other.Check(nil, nil) }`:                     1,
		`import "math/rand"; var n = rand.New(rand.NewSource(1)).Int()`:                             2,
		`import "math/rand/v2"; var n = rand.IntN(5)`:                                               1,
		`import "math/rand/v2"; var dice *rand.Rand = rand.New(rand.NewPCG(1, 2)); var n = f(dice)`: 0,
		`import "testing/quick"; var err = quick.Check(nil, nil)`:                                   1,
		`import "crypto/rand"; var source = rand.Reader`:                                            0,
	} {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, "", "package p; "+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		if found := leftToChance(files, file); len(found) != faults {
			t.Errorf("%s: want %d faults, got %q", source, faults, found)
		}
	}
}
