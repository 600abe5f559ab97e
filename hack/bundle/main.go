//go:build ignore

// Bundle makes one script and one style sheet of the sources of the pages and of
// the libraries they use. It is esbuild as a Go library, so nobody needs Node, and
// the same sources give the same bytes on every machine.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if err := bundle(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// bundle writes the folder dist of a folder that has src and third_party.
func bundle(web string) error {
	root, err := filepath.Abs(web)
	if err != nil {
		return err
	}
	dist := filepath.Join(root, "dist")
	if err := os.RemoveAll(dist); err != nil {
		return err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:     root,
		EntryPoints:       []string{"src/app.js", "src/app.css"},
		Outdir:            "dist",
		Bundle:            true,
		Write:             true,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		NodePaths:         []string{filepath.Join(root, "third_party")},
		Metafile:          true,
		LogLevel:          api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return fmt.Errorf("%d errors", len(result.Errors))
	}
	index, err := os.ReadFile(filepath.Join(root, "src", "index.html"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dist, "index.html"), index, 0o644); err != nil {
		return err
	}
	return licenses(root, result.Metafile)
}

// licenses puts the licenses of what is part of the bundle beside it.
func licenses(root, meta string) error {
	folders, err := os.ReadDir(filepath.Join(root, "third_party"))
	if err != nil {
		return err
	}
	var out strings.Builder
	out.WriteString("The pages contain code of others, under these licenses.\n")
	for _, f := range folders {
		if !f.IsDir() || !strings.Contains(meta, "third_party/"+f.Name()+"/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, "third_party", f.Name(), "LICENSE"))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s", f.Name(), strings.Repeat("=", len(f.Name())), text)
	}
	return os.WriteFile(filepath.Join(root, "dist", "licenses.txt"), []byte(out.String()), 0o644)
}
