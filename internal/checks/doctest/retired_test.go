package doctest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// retired are words that once stood beside one of the glossary, or beside
// their American spelling, and what is said instead.
var retired = []struct {
	word    *regexp.Regexp
	instead string
}{
	{word("wish(?:es|ed|ing)?"), "desired, or asked for"},
	{word("troubles?|troubled"), "blocker, or problem"},
	{word("mend(?:s|ed|ing)?"), "fix"},
	{word("reckon(?:s|ed|ing)?"), "count, or compute"},
	{word("spelt"), "spelled"},
	{word("towards"), "toward"},
	{word("afterwards"), "afterward"},
	{word("for ever"), "forever"},
}

func word(forms string) *regexp.Regexp { return regexp.MustCompile(`(?i)\b(?:` + forms + `)\b`) }

// stay are the names that keep a retired word, by file; those of every file
// stand under "".
var stay = map[string][]string{
	// The WPA's own field.
	"": {"convergeTowardsWatermark", "ConvergeTowardsWatermark"},
	// The name in the status: memories that were written with it must stay
	// readable.
	"engine/elastic/past.go":    {`json:"wishes,omitempty"`},
	"internal/record/memory.go": {`"elastic.wishes"`},
}

var hump = regexp.MustCompile(`([a-z])([A-Z])`)

// TestRetiredWordsStayAway: in code, documents and scripts, and in the parts of
// names such as onConflict.
func TestRetiredWordsStayAway(t *testing.T) {
	used, looked := map[string]bool{}, 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || filepath.ToSlash(path) == root+"/bin"):
			return filepath.SkipDir
		case entry.IsDir() || !slices.Contains([]string{".go", ".md", ".scale"}, filepath.Ext(path)) || entry.Name() == "retired_test.go":
			return nil
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		looked++
		file, text := strings.TrimPrefix(filepath.ToSlash(path), root+"/"), string(raw)
		for _, name := range slices.Concat(stay[""], stay[file]) {
			used[name] = used[name] || strings.Contains(text, name)
			text = strings.ReplaceAll(text, name, "")
		}
		text = hump.ReplaceAllString(text, "$1 $2")
		for _, r := range retired {
			for _, at := range r.word.FindAllStringIndex(text, -1) {
				t.Errorf("%s:%d: say %s, not %q", file, 1+strings.Count(text[:at[0]], "\n"), r.instead, text[at[0]:at[1]])
			}
		}
		return nil
	})
	if err != nil || looked == 0 {
		t.Fatalf("%d files, error %v", looked, err)
	}
	for file, names := range stay {
		for _, name := range names {
			if !used[name] {
				t.Errorf("%q stays in %q, but is not there: take it out of the list", name, file)
			}
		}
	}
}
