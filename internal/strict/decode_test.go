package strict

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestReadsWhatIsRight(t *testing.T) {
	one, quantity := int32(1), resource.MustParse("1.5")
	cases := map[string]struct {
		text string
		want sample
	}{
		"numbers": {`{max: 1, count: 255, share: .5}`, sample{Max: &one, Count: 255, Share: 0.5}},
		"a negative number is read before it is judged": {`max: -5`, sample{Max: new(int32(-5))}},
		"embedded fields":              {`inner: x`, sample{inlined: inlined{"x"}}},
		"a quantity without quotes":    {`amount: 1.5`, sample{Amount: &quantity}},
		"a time without quotes":        {`at: 2026-01-05T10:00:00Z`, sample{At: time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)}},
		"a duration":                   {`wait: 1m30s`, sample{Wait: metav1.Duration{Duration: 90 * time.Second}}},
		"a selector":                   {`selector: {matchLabels: {a: b}}`, sample{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}}},
		"any number as text":           {`byName: {a: 1.50, b: "2", c: .nan, d: .inf, e: -.Inf, f: 400m}`, sample{ByName: map[string]loose{"a": "1.50", "b": "2", "c": "NaN", "d": "+Inf", "e": "-Inf", "f": "400m"}}},
		"a type's own words":           {`word: {n: 1}`, sample{Word: &word{`{"n":1}`}}},
		"anything":                     {`anything: {a: [1, 0x10, x, true, null, 1.5]}`, sample{Anything: map[string]any{"a": []any{1.0, 16.0, "x", true, nil, 1.5}}}},
		"a field without a value":      {"name:\nmax: ~\nword: null", sample{}},
		"an empty list is not no list": {`children: []`, sample{Children: []sample{}}},
		"aliases":                      {"children: [&a {name: x}, *a]", sample{Children: []sample{{Name: "x"}, {Name: "x"}}}},
		"JSON that YAML cannot read":   {"{\"name\":\t\"\\ud83d\\ude00\\/\"}", sample{Name: "😀/"}},
		"a byte order mark":            {"\ufeffname: x", sample{Name: "x"}},
		"Windows line ends":            {"---\r\nname: x\r\nmax: 1\r\n", sample{Name: "x", Max: &one}},
		"a directive":                  {"%YAML 1.2\n---\nname: x", sample{Name: "x"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got sample
			if faults := Unmarshal([]byte(c.text), &got); len(faults) > 0 {
				t.Fatalf("unexpected faults: %v", faults)
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(sample{}, word{})); diff != "" {
				t.Errorf("value (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadablePartsAreReadDespiteFaultsElsewhere(t *testing.T) {
	var got sample
	faults := Unmarshal([]byte("name: x\nmax: ten\nchildren: [{name: y, max: ten}]\ncount: 3"), &got)
	if len(faults) != 2 {
		t.Fatalf("want two faults, got %v", faults)
	}
	if got.Name != "x" || got.Count != 3 || got.Max != nil {
		t.Errorf("the parts without a fault were not read: %+v", got)
	}
}

func TestNearest(t *testing.T) {
	words := []string{"min", "max", "stabilizationWindowSeconds", "scaleUp"}
	for misspelled, want := range map[string]string{
		"mx":                          "max",
		"MAX":                         "max",
		"mni":                         "min",
		"stabilisationWindowSeconds":  "stabilizationWindowSeconds",
		"stabilizationWindow":         "stabilizationWindowSeconds",
		"scaleup":                     "scaleUp",
		"color":                       "",
		"":                            "",
		"stabilizationWindowInHours_": "stabilizationWindowSeconds",
	} {
		t.Run(misspelled, func(t *testing.T) {
			if got := Nearest(misspelled, words); got != want {
				t.Errorf("Nearest(%q) = %q, want %q", misspelled, got, want)
			}
		})
	}
}
