package adapter

import (
	"strings"
	"testing"
)

func TestParseEntryRefuses(t *testing.T) {
	tests := map[string]struct {
		text string
		want string
	}{
		"a metric without a name":            {`value: "1"`, "exactly one of external and custom"},
		"a metric with two names":            {"external: a\ncustom: b\nvalue: \"1\"", "exactly one of external and custom"},
		"a metric without a number":          {"external: a", "exactly one of value and total"},
		"a metric with two numbers":          {"custom: a\nvalue: \"1\"\ntotal: \"2\"", "exactly one of value and total"},
		"an external metric of an object":    {"external: a\nname: web\nvalue: \"1\"", "belong to custom metrics only"},
		"a number that is none":              {"external: a\nvalue: many", `"many" is neither a quantity nor "error"`},
		"an age that is none":                {"external: a\nvalue: \"1\"\nage: old", "age:"},
		"a field that is misspelled":         {"external: a\nvalu: \"1\"", `unknown field "valu"`},
		"a text that is not an entry at all": {"just words", "cannot unmarshal string"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := ParseEntry(test.text)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("ParseEntry(%q): error %v, want one with %q", test.text, err, test.want)
			}
		})
	}
}

func TestShareOfATotal(t *testing.T) {
	tests := map[string]struct {
		text string
		n    int
		want string
	}{
		"a value is the same for everyone":  {"custom: a\nvalue: \"100\"", 4, "100"},
		"a total is shared":                 {"custom: a\ntotal: \"100\"", 4, "25"},
		"a share may be a fraction":         {"custom: a\ntotal: \"1\"", 3, "333m"},
		"a total for nobody is not divided": {"custom: a\ntotal: \"7\"", 0, "7"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			entry, err := ParseEntry(test.text)
			if err != nil {
				t.Fatal(err)
			}
			share := entry.share(test.n)
			if share.String() != test.want {
				t.Errorf("share of %d: %s, want %s", test.n, share.String(), test.want)
			}
		})
	}
}
