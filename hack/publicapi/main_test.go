package main

import (
	"strings"
	"testing"
)

func TestBroken(t *testing.T) {
	const line, other, changes = "scale: method Amount.Add(Amount) Amount", "scale: func Of() Amount", "- [CHANGE] `scale.Amount` saturates."
	for name, c := range map[string]struct {
		before, now, admitted []string
		changes, want         string
	}{
		"the same":                        {before: []string{line}, now: []string{line}},
		"more":                            {before: []string{line}, now: []string{line, other}},
		"gone":                            {before: []string{line}, want: "breaking: " + line},
		"gone with a line but no word":    {before: []string{line}, admitted: []string{line}, want: "needs an entry"},
		"gone with both":                  {before: []string{line}, admitted: []string{line}, changes: changes},
		"admitted but there":              {before: []string{line}, now: []string{line}, admitted: []string{line}, want: "is not broken"},
		"admitted but never released":     {admitted: []string{other}, want: "is not broken"},
		"another type":                    {before: []string{"scale: var X int"}, now: []string{"scale: var X int32"}, want: "breaking: scale: var X int\n"},
		"one more method of an interface": {before: []string{"engine: type I interface{A()}"}, now: []string{"engine: type I interface{A(); B()}"}, want: "breaking"},
	} {
		t.Run(name, func(t *testing.T) {
			err := broken(c.before, c.now, c.admitted, c.changes)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestUnreleased(t *testing.T) {
	const text = "# Changelog\n\n## Unreleased\n\n- [CHANGE] `a.B` is\n  gone.\n- [FIX] `c.D`.\n\n## v0.1.0\n\n- [CHANGE] `e.F`.\n"
	if got := unreleased(text); !strings.Contains(got, "a.B") || strings.Contains(got, "c.D") || strings.Contains(got, "e.F") {
		t.Errorf("got %q", got)
	}
}
