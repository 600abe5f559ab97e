package strict

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzUnmarshal states what holds for any input: it is read or refused without
// a panic, each fault is one line, and what was read can be written and read
// again.
func FuzzUnmarshal(f *testing.F) {
	for _, text := range []string{
		"name: x\nmax: 1", `{"name":"x","at":"2026-01-05T10:00:00Z","wait":"30s"}`, "a: 1\n---\nb: 2",
		"children: [&a {name: x}, *a]", "byName: {a: .nan, b: 1e-999999999}", "amount: 1e-999999999", "amount: 0.1",
		"anything: &a [*a]", "? [a]\n: b", "{<<: {a: 1}}", "name: !x y", "%YAML 1.2\n---\nmax: 010", "{a: 1}\n{b: 2}", "max: -0",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var first, second sample
		faults := Unmarshal(data, &first)
		for _, fault := range faults {
			if fault.Message == "" || strings.ContainsAny(fault.String(), "\n\r") {
				t.Fatalf("a fault is not one line: %q", fault)
			}
		}
		if len(faults) > 0 {
			return
		}
		first.Word = nil // it is only ever read
		text, err := json.Marshal(first)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if faults := Unmarshal(text, &second); len(faults) > 0 {
			t.Fatalf("%s cannot be read again: %v", text, faults)
		}
	})
}
