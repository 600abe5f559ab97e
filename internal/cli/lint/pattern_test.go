package lint

import (
	"fmt"
	"testing"
)

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"testdata", "testdata", true},
		{"testdata", "a/b/testdata", true},
		{"testdata", "a/testdata.yaml", false},
		{"testdata/", "testdata", true},
		{"*.json", "a/b.json", true},
		{"*.json", "a/b.yaml", false},
		{"./a/b", "a/b", true},
		{"a/*", "a/b", true},
		{"a/*", "a/b/c", false},
		{"a/*", "x/a/b", false},
		{"a/**", "a/b/c", true},
		{"**/c", "a/b/c", true},
		{"**/c", "c", true},
		{"a/**/c", "a/c", true},
		{"a/**/c", "a/b/b/c", true},
		{"a/**/c", "b/c", false},
		{"a/[bc]/d", "a/c/d", true},
	} {
		t.Run(fmt.Sprintf("%s of %s", c.pattern, c.name), func(t *testing.T) {
			if err := checkPattern(c.pattern); err != nil {
				t.Error(err)
			}
			if got := matches(c.pattern, c.name); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
