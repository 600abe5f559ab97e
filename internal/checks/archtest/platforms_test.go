package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gopackages "golang.org/x/tools/go/packages"
)

// TestOtherPlatforms: the verbs that need no cluster are for macOS and Windows
// too, so the whole program has to make sense to a compiler there. It is looked
// at as a compiler does before it writes any code, which takes seconds where a
// build takes minutes; a release is what builds it.
func TestOtherPlatforms(t *testing.T) {
	for _, platform := range []string{"windows/amd64", "darwin/arm64"} {
		t.Run(platform, func(t *testing.T) {
			system, processor, _ := strings.Cut(platform, "/")
			here, err := filepath.Abs(root)
			if err != nil {
				t.Fatal(err)
			}
			loaded, err := gopackages.Load(&gopackages.Config{
				Context: t.Context(), Dir: here, ParseFile: parseOurs(here),
				Mode: gopackages.NeedName | gopackages.NeedFiles | gopackages.NeedCompiledGoFiles | gopackages.NeedImports | gopackages.NeedDeps |
					gopackages.NeedTypes | gopackages.NeedSyntax | gopackages.NeedTypesInfo | gopackages.NeedModule,
				Env: append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor),
			}, "./cmd/tidemark")
			if err != nil {
				t.Fatal(err)
			}
			ours := 0
			gopackages.Visit(loaded, nil, func(p *gopackages.Package) {
				if p.Module == nil || !p.Module.Main {
					return
				}
				ours++
				for _, e := range p.Errors {
					t.Error(e)
				}
			})
			if ours < 50 {
				t.Errorf("%d packages: the test looks at something else", ours)
			}
		})
	}
}

// parseOurs parses our files as they are, and those of others without what
// is inside of functions: that they compile is their affair.
func parseOurs(here string) func(*token.FileSet, string, []byte) (*ast.File, error) {
	return func(files *token.FileSet, name string, text []byte) (*ast.File, error) {
		file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		if err != nil || strings.HasPrefix(name, here+string(filepath.Separator)) {
			return file, err
		}
		for _, d := range file.Decls {
			if function, ok := d.(*ast.FuncDecl); ok {
				function.Body = nil
			}
		}
		return file, nil
	}
}
