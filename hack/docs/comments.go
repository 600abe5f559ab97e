package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// comment is what stands above a type or a field: words, and the markers that
// the definition of the resource is made from too.
type comment struct {
	text    string
	markers map[string]string
}

// comments are by the name of their type, or of their type and field.
type comments map[string]comment

// newComments reads the comments of packages, given as folders.
func newComments(folders ...string) comments {
	out := comments{}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(root(), folder, "*.go"))
		if err != nil || len(files) == 0 {
			fmt.Fprintf(os.Stderr, "no source in %s: run this inside of the repository\n", folder)
			os.Exit(1)
		}
		for _, path := range files {
			lines := token.NewFileSet()
			file, err := parser.ParseFile(lines, path, nil, parser.ParseComments)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			out.read(lines, file)
		}
	}
	return out
}

// root is the folder of the module, seen from here: the tests run further down
// than the generator.
func root() string {
	for up := "."; len(up) < 64; up = filepath.Join(up, "..") {
		if _, err := os.Stat(filepath.Join(up, "go.mod")); err == nil {
			return up
		}
	}
	return "."
}

func (c comments) read(lines *token.FileSet, file *ast.File) {
	for _, declaration := range file.Decls {
		group, ok := declaration.(*ast.GenDecl)
		if !ok || group.Tok != token.TYPE {
			continue
		}
		for _, spec := range group.Specs {
			t := spec.(*ast.TypeSpec)
			c[t.Name.Name] = newComment(group.Doc)
			if structure, ok := t.Type.(*ast.StructType); ok {
				c.readFields(lines, t.Name.Name, structure.Fields.List)
			}
		}
	}
}

// readFields reads the comments of fields. A field without words that follows
// another on the next line shares those of that one.
func (c comments) readFields(lines *token.FileSet, of string, fields []*ast.Field) {
	var before comment
	end := 0
	for _, field := range fields {
		own, start := newComment(field.Doc), field.Pos()
		if field.Doc != nil {
			start = field.Doc.Pos()
		}
		if own.text == "" && lines.Position(start).Line == end+1 {
			own.text = before.text
		}
		for _, name := range field.Names {
			c[of+"."+name.Name] = own
		}
		before, end = own, lines.Position(field.End()).Line
	}
}

// newComment tells words and markers apart.
func newComment(group *ast.CommentGroup) comment {
	out := comment{markers: map[string]string{}}
	if group == nil {
		return out
	}
	var words []string
	for line := range strings.Lines(group.Text()) {
		line = strings.TrimSpace(line)
		if marker, ok := strings.CutPrefix(line, "+kubebuilder:validation:"); ok {
			name, value, _ := strings.Cut(marker, "=")
			out.markers[name] = value
		} else if !strings.HasPrefix(line, "+") && line != "" {
			words = append(words, line)
		}
	}
	out.text = strings.Join(words, " ")
	return out
}
