package doctest

import (
	"regexp"
	"strings"
	"testing"
)

// TestConceptsSpeakTheGlossary: a term that docs/concepts.md introduces, in bold,
// is a word of the glossary, so that code and documents keep to one list.
func TestConceptsSpeakTheGlossary(t *testing.T) {
	prose, table, _ := strings.Cut(read(t, "docs/concepts.md"), "\n## Words\n")
	words := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([a-z ]+) \|`).FindAllStringSubmatch(table, -1) {
		words[row[1]], words[row[1]+"s"] = true, true
	}
	terms := regexp.MustCompile(`\*\*([a-z]+(?: [a-z]+)?)\*\*`).FindAllStringSubmatch(prose, -1)
	if len(words) == 0 || len(terms) == 0 {
		t.Fatalf("%d words, %d terms: the test looks in the wrong place", len(words), len(terms))
	}
	for _, term := range terms {
		if !words[term[1]] {
			t.Errorf("docs/concepts.md introduces %q, which the glossary in scale/doc.go does not have", term[1])
		}
	}
}
