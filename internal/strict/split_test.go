package strict

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/fault"
)

func TestSplit(t *testing.T) {
	type part struct {
		Text string
		Line int
	}
	cases := map[string]struct {
		text string
		want []part
	}{
		"nothing":                      {"", nil},
		"blanks, comments, directives": {"\n# x\n%YAML 1.2\n---\n...\n--- # y\n", nil},
		"one document":                 {"a: 1\nb: 2", []part{{"a: 1\nb: 2", 1}}},
		"YAML documents":               {"a: 1\n---\n# x\na: 2\n...\n---\na: 3", []part{{"a: 1", 1}, {"a: 2", 4}, {"a: 3", 7}}},
		"content behind the marker":    {"--- {a: 1}\n--- {a: 2}", []part{{"{a: 1}", 1}, {"{a: 2}", 2}}},
		"a marker is a whole word":     {"a: |\n  ---\n----: 1", []part{{"a: |\n  ---\n----: 1", 1}}},
		"JSON lines":                   {"{\"a\":1}\n\n{\"a\":2}\n", []part{{`{"a":1}`, 1}, {`{"a":2}`, 3}}},
		"JSON in a row":                {`{"a":"}"}{"a":[1]} {"a":3}`, []part{{`{"a":"}"}`, 1}, {`{"a":[1]}`, 1}, {`{"a":3}`, 1}}},
		"JSON over several lines":      {"{\n\"a\":\n1}\n{\n\"a\": 2\n}", []part{{"{\n\"a\":\n1}", 1}, {"{\n\"a\": 2\n}", 4}}},
		"flow YAML in a row":           {"{a: 'it''s }', b: it's}\n{a: 2} # {x}\n{a: 3}", []part{{"{a: 'it''s }', b: it's}", 1}, {"{a: 2}", 2}, {"{a: 3}", 3}}},
		"comments inside braces":       {"{a: 1, # }\nb: a#}\n{c: 1}", []part{{"{a: 1, # }\nb: a#}", 1}, {"{c: 1}", 3}}},
		"escapes inside texts":         {`{"a":"\"}"}{"b":1}`, []part{{`{"a":"\"}"}`, 1}, {`{"b":1}`, 1}}},
		"JSON and YAML by turns":       {"{\"a\":1}\n---\na: 2\n---\n{\"a\":3}", []part{{`{"a":1}`, 1}, {"a: 2", 3}, {`{"a":3}`, 5}}},
		"a broken line among others":   {"{\"a\":1}\n{\"a\":[2}\n{\"a\":3}", []part{{`{"a":1}`, 1}, {"{\"a\":[2}\n", 2}, {`{"a":3}`, 3}}},
		"words behind a value":         {"{a: 1}\nb: 2\n", []part{{"{a: 1}\nb: 2", 1}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			sources, faults := Split([]byte(c.text))
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			var got []part
			for _, s := range sources {
				got = append(got, part{strings.TrimSpace(string(s.text)), s.line})
			}
			for i := range c.want {
				c.want[i].Text = strings.TrimSpace(c.want[i].Text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLocate(t *testing.T) {
	text := "# first line\na:\n  b:\n  - x\n  - c: 1\n  k.d: {\"e\\nf\": 2}\n"
	sources, _ := Split([]byte(text))
	doc, faults := sources[0].Parse()
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for path, want := range map[fault.Path]string{
		"":                      "x (line 2)",
		"a":                     "x (line 2)",
		"a.b":                   "x (line 3)",
		"a.b[0]":                "x (line 4)",
		"a.b[1].c":              "x (line 5)",
		"a.b[1].missing.deeper": "x (line 5)",
		"a.b[9].c":              "x (line 3)",
		"a.b.c":                 "x (line 3)",
		`a["k.d"]["e\nf"].g`:    "x (line 6)",
		"nowhere":               "x (line 2)",
	} {
		t.Run(string(path), func(t *testing.T) {
			got := doc.Locate(fault.List{{Path: path, Message: "x"}})[0].Text()
			if got != want {
				t.Errorf("%s: got %q, want %q", path, got, want)
			}
		})
	}
}
