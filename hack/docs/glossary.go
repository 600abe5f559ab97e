package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// The lines of docs/concepts.md that the glossary stands between.
const glossaryBegins, glossaryEnds = "<!-- Written by \"make generate\" from scale/doc.go. -->\n", "<!-- The end of what is written. -->\n"

// concepts is docs/concepts.md with the glossary of package scale in its place.
func concepts() string {
	text := string(must(os.ReadFile(filepath.Join(root(), "docs/concepts.md"))))
	before, rest, begins := strings.Cut(text, glossaryBegins)
	_, after, ends := strings.Cut(rest, glossaryEnds)
	if !begins || !ends {
		panic("docs/concepts.md has no place for the glossary")
	}
	return before + glossaryBegins + glossary() + glossaryEnds + after
}

// glossary makes a table of each group of words in the comment of package scale.
func glossary() string {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root(), "scale/doc.go"), nil, parser.ParseComments)
	if err != nil {
		panic(err)
	}
	_, list, _ := strings.Cut(file.Doc.Text(), "# Glossary\n")
	var out strings.Builder
	for line := range strings.Lines(list) {
		line = strings.TrimSuffix(line, "\n")
		if group, ok := strings.CutSuffix(line, ":"); ok && !strings.HasPrefix(line, "\t") {
			fmt.Fprintf(&out, "\n### %s\n\n| word | meaning |\n|---|---|\n", group)
		} else if entry, ok := strings.CutPrefix(line, "\t"); ok {
			word, meaning, _ := strings.Cut(entry, "  ")
			fmt.Fprintf(&out, "| %s | %s |\n", word, strings.TrimSpace(meaning))
		}
	}
	return out.String() + "\n"
}
