package strict

import (
	"encoding/json"
	"testing"
)

func TestMerged(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"none":              {"{a: 1}", `{"a":1}`},
		"an anchor alone":   {"{a: &x {b: 1}, c: *x}", `{"a":{"b":1},"c":{"b":1}}`},
		"what is not there": {"{a: &x {b: 1}, c: {<<: *x, d: 2}}", `{"a":{"b":1},"c":{"d":2,"b":1}}`},
		"what is there":     {"{a: &x {b: 1}, c: {<<: *x, b: 2}}", `{"a":{"b":1},"c":{"b":2}}`},
		"the first of two":  {"{a: &x {b: 1}, e: &y {b: 3, f: 4}, c: {<<: [*x, *y]}}", `{"a":{"b":1},"e":{"b":3,"f":4},"c":{"b":1,"f":4}}`},
		"merged and merged": {"{a: &x {b: 1}, c: &y {<<: *x, d: 2}, e: {<<: *y}}", `{"a":{"b":1},"c":{"d":2,"b":1},"e":{"d":2,"b":1}}`},
	} {
		t.Run(name, func(t *testing.T) {
			sources, faults := Split([]byte(c.text))
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			doc, faults := sources[0].Parse()
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			var got json.RawMessage
			if faults := doc.Merged().Decode(&got); len(faults) > 0 || string(got) != c.want {
				t.Errorf("want %s, got %s, %v", c.want, got, faults)
			}
		})
	}
}
