package strict

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sampleFields = "the fields here are inner, name, max, count, share, on, amount, loose, at, wait, " +
	"selector, children, byName, word, anything"

func TestFaults(t *testing.T) {
	cases := map[string]struct {
		text string
		want string
	}{
		"a text where a number is wanted": {
			"name: x\nmax: ten", `max: must be a whole number, got "ten" (line 2)`},
		"a quoted number": {
			`max: "10"`, `max: must be a whole number, got "10": remove the quotes (line 1)`},
		"a fraction":             {`max: 1.5`, `max: must be a whole number, got 1.5 (line 1)`},
		"a whole fraction":       {`max: 3.0`, `max: must be a whole number, got 3.0 (line 1)`},
		"an exponent":            {`max: 1e3`, `max: must be a whole number, got 1e3 (line 1)`},
		"an octal number":        {`max: 010`, `max: must be a whole number, got 010 (line 1)`},
		"a hexadecimal number":   {`max: 0x10`, `max: must be a whole number, got 0x10 (line 1)`},
		"too large for 32 bits":  {`max: 2147483648`, `max: must be a whole number between -2147483648 and 2147483647, got 2147483648 (line 1)`},
		"too small for 32 bits":  {`max: -2147483649`, `max: must be a whole number between -2147483648 and 2147483647, got -2147483649 (line 1)`},
		"too large for any bits": {`max: 99999999999999999999999`, `max: must be a whole number between -2147483648 and 2147483647, got 99999999999999999999999 (line 1)`},
		"below zero, unsigned":   {`count: -1`, `count: must be a whole number between 0 and 255, got -1 (line 1)`},
		"a map for a number":     {`max: {a: 1}`, `max: must be a whole number, got a map (line 1)`},
		"a list for a map":       {`selector: []`, `selector: must be a map, got a list (line 1)`},
		"a map for a list":       {`children: {}`, `children: must be a list, got a map (line 1)`},
		"a number for a text":    {`name: 5`, `name: must be a text, got 5: put it in quotes (line 1)`},
		"a truth for a text":     {`name: true`, `name: must be a text, got true: put it in quotes (line 1)`},
		"a word for a truth":     {`on: yes`, `on: must be true or false, got "yes" (line 1)`},
		"not a finite number":    {`share: .nan`, `share: must be a finite number, got .nan (line 1)`},
		"an infinite number":     {`anything: [1, .inf]`, `anything[1]: must be a finite number, got .inf (line 1)`},
		"a number beyond JSON":   {`{"anything": 1e999}`, `anything: must be a finite number, got 1e999 (line 1)`},

		"a bad quantity":        {`amount: 5Q`, `amount: "5Q" is not a quantity: write a number with an optional suffix, such as 500m, 2, 1.5 or 4Gi (line 1)`},
		"a list for a quantity": {`amount: [1]`, `amount: must be a quantity such as 500m, 2 or 4Gi, got a list (line 1)`},
		"a quantity of nothing": {`amount: NaN`, `amount: "NaN" is not a finite number (line 1)`},
		"a quantity too large":  {`amount: 1e18`, `amount: 1e18 is out of range: the largest quantity is about 9.2e15 (line 1)`},
		"a hostile exponent":    {`amount: 1e-999999999`, `amount: 1e-999999999 has too large an exponent: write at most e18 or e-18 (line 1)`},
		"a hostile zero":        {`amount: 0e999999999`, `amount: 0e999999999 has too large an exponent: write at most e18 or e-18 (line 1)`},
		"a date for a time":     {`at: 2026-01-05`, `at: must be a time such as 2026-01-05T10:00:00Z (RFC 3339), got "2026-01-05" (line 1)`},
		"a number for a time":   {`at: 1767607200`, `at: must be a time such as 2026-01-05T10:00:00Z (RFC 3339), got 1767607200 (line 1)`},
		"a year JSON lacks":     {`at: "9999-12-31T23:59:59-01:00"`, `at: must be a time such as 2026-01-05T10:00:00Z (RFC 3339), got "9999-12-31T23:59:59-01:00" (line 1)`},
		"the time of no time":   {`at: "0001-01-01T00:00:00Z"`, `at: must be a time such as 2026-01-05T10:00:00Z (RFC 3339), got "0001-01-01T00:00:00Z" (line 1)`},
		"a bare duration":       {`wait: 30`, `wait: must be a duration such as 30s or 5m, got 30 (line 1)`},
		"a bad duration":        {`wait: 30 s`, `wait: must be a duration such as 30s or 5m, got "30 s" (line 1)`},

		"a misspelled field": {`mxa: 1`, `mxa: unknown field, did you mean max? (line 1)`},
		"another case":       {`byname: {}`, `byname: unknown field, did you mean byName? (line 1)`},
		"an unknown field of few": {
			`selector: {foo: 1}`, `selector.foo: unknown field: the fields here are matchLabels, matchExpressions (line 1)`},
		"a field that is not wire":        {`Hidden: x`, `Hidden: unknown field: ` + sampleFields + ` (line 1)`},
		"a key with a newline":            {`{"a\nb": 1}`, `["a\nb"]: unknown field: ` + sampleFields + ` (line 1)`},
		"a field of an embedded type":     {`{inner: x, iner: y}`, `iner: unknown field, did you mean inner? (line 1)`},
		"a field given twice":             {"max: 1\nname: x\nmax: 2", `max: is given twice, first on line 1: keep one of them (line 3)`},
		"a key given twice in JSON":       {"{\"byName\": {\"a\": 1,\n\"a\": 2}}", `byName.a: is given twice, first on line 1: keep one of them (line 2)`},
		"a merge key":                     {"byName: &x {a: 1}\nselector: {matchLabels: {<<: *x}}", `selector.matchLabels: has a key that is not a plain word: merge keys and composed keys are not supported (line 2)`},
		"a template":                      {"byName: {{ .Release.Name }}", `byName: holds {{…}}, as templates do: render it first, as with helm template (line 1)`},
		"a composed key":                  {`{[a]: 1}`, `the document has a key that is not a plain word: merge keys and composed keys are not supported (line 1)`},
		"an unknown tag":                  {`name: !secret x`, `name: must be a text, got a value with the tag !secret: put it in quotes (line 1)`},
		"an unknown tag on a map":         {`selector: !thing {}`, `selector: must be a map, got a value with the tag !thing (line 1)`},
		"nothing in a list":               {"children:\n- {name: x}\n-", `children[1]: must not be empty: give it a value or remove it (line 3)`},
		"nothing in a map":                {`byName: {a: }`, `byName["a"]: must not be empty: give it a value or remove it (line 1)`},
		"a text its type refuses":         {`byName: {a: 1, b: bad}`, `byName["b"]: must be good (line 1)`},
		"a list for a type of texts":      {`loose: []`, `loose: must be a text or a number, got a list (line 1)`},
		"a value its type refuses":        {`word: no`, `word: must be yes or {n: 1} (line 1)`},
		"a list as the document":          {`[1]`, `the document must be a map, got a list (line 1)`},
		"a text as the document":          {`hello`, `the document must be a map, got "hello" (line 1)`},
		"nothing as the document":         {`null`, `the document must be a map, got nothing (line 1)`},
		"no document":                     {"# only a comment\n---\n", `the input is empty: write one document`},
		"two documents":                   {"max: 1\n---\nmax: 2", `the input holds several documents: write only one`},
		"text behind a document":          {`{max: 1} x`, `the document is not valid YAML: did not find expected <document start> (near line 1)`},
		"broken YAML":                     {"name: x\nmax: [1", `the document is not valid YAML: did not find expected ',' or ']' (near line 1)`},
		"not UTF-8":                       {"name: \xff", `the input is not UTF-8 text`},
		"a value of many lines, as JSON":  {"{\n\"name\":\n\"x\",\n\"max\": {\n}}", `max: must be a whole number, got a map (line 4)`},
		"a long text is not all repeated": {"max: " + strings.Repeat("a", 1000), `max: must be a whole number, got "` + strings.Repeat("a", 64) + `…" (line 1)`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var into sample
			if diff := cmp.Diff(c.want, Unmarshal([]byte(c.text), &into).Error()); diff != "" {
				t.Errorf("faults of %q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

func TestAllFaultsAtOnceInTheOrderOfTheDocument(t *testing.T) {
	text := `
name: 1
children:
- {max: x}
- {nam: y}
wait: later
`
	want := strings.Join([]string{
		`name: must be a text, got 1: put it in quotes (line 2)`,
		`children[0].max: must be a whole number, got "x" (line 4)`,
		`children[1].nam: unknown field, did you mean name? (line 5)`,
		`wait: must be a duration such as 30s or 5m, got "later" (line 6)`,
	}, "\n")
	var into sample
	if diff := cmp.Diff(want, Unmarshal([]byte(text), &into).Error()); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

func TestLinesAreCountedInTheSurroundingFile(t *testing.T) {
	var into sample
	sources, _ := SplitAt([]byte("name: x\nmax: ten"), 41)
	doc, _ := sources[0].Parse()
	got := doc.Decode(&into).Error()
	if want := `max: must be a whole number, got "ten" (line 42)`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
