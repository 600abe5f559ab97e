//go:build ignore

// Tighten finishes what controller-gen begins. Two things that the API means
// cannot be said in markers, and a schema that is looser than the Go types
// would be dangerous: one object that the API server accepts and the Go types
// cannot read stops a controller from reading all of them.
//
//   - onMissing is a word or an object. The generator can only leave its
//     schema open; here it becomes exactly that choice.
//   - A quantity may have a sign, an exponent and any length. Here it gets a
//     length, which also bounds the cost of the rules about it, and loses the
//     sign and the exponent: to compare 1e9999999 with anything takes seconds,
//     and larger ones far longer.
//   - A selector of labels may have any number of them. Here it gets a bound:
//     what is asked for travels in an address.
//
// Usage: go run config/crd/tighten.go FILE
package main

import (
	"errors"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: tighten FILE")
		os.Exit(2)
	}
	if err := rewrite(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "tighten:", err)
		os.Exit(1)
	}
}

func rewrite(file string) error {
	before, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	after, err := tighten(before)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, after, 0o644)
}

// tighten returns the definition with its open ends closed. Doing it twice is
// the same as doing it once.
func tighten(definition []byte) ([]byte, error) {
	var root map[string]any
	if err := yaml.Unmarshal(definition, &root); err != nil {
		return nil, err
	}
	var found count
	found.walk(root)
	if found.unions == 0 || found.quantities == 0 || found.selectors == 0 {
		return nil, errors.New("holds no onMissing, no quantity or no selector: the API or the generator has changed")
	}
	after, err := yaml.Marshal(root)
	return append([]byte("---\n"), after...), err
}

// count is how many of each open end were closed.
type count struct{ unions, quantities, selectors int }

func (c *count) walk(node any) {
	switch node := node.(type) {
	case []any:
		for _, item := range node {
			c.walk(item)
		}
	case map[string]any:
		if node["x-kubernetes-int-or-string"] == true {
			c.quantities++
			boundQuantity(node)
		}
		if union, ok := node["onMissing"].(map[string]any); ok {
			c.unions++
			closeUnion(union)
		}
		if properties, ok := node["properties"].(map[string]any); ok && properties["matchLabels"] != nil {
			c.selectors++
			boundSelector(properties)
		}
		for _, item := range node {
			c.walk(item)
		}
	}
}

// Bounds of a selector, and of the texts in it. Labels have the second by
// themselves: a prefix of 253, a slash and a name of 63.
const (
	maxLabels = 32
	maxLabel  = 317
)

func boundSelector(properties map[string]any) {
	labels := properties["matchLabels"].(map[string]any)
	labels["maxProperties"] = maxLabels
	labels["additionalProperties"].(map[string]any)["maxLength"] = maxLabel
	expressions := properties["matchExpressions"].(map[string]any)
	expressions["maxItems"] = maxLabels
	fields := expressions["items"].(map[string]any)["properties"].(map[string]any)
	fields["key"].(map[string]any)["maxLength"] = maxLabel
	values := fields["values"].(map[string]any)
	values["maxItems"] = maxLabels
	values["items"].(map[string]any)["maxLength"] = maxLabel
}

func boundQuantity(schema map[string]any) {
	schema["maxLength"] = 32
	schema["pattern"] = `^([0-9]+(\.[0-9]*)?|\.[0-9]+)([numkMGTPE]|[KMGTPE]i)?$`
}

// closeUnion says "a word or an object" without naming types, which a
// structural schema may only name once. Keywords about properties hold for
// everything that is not an object, so "not at most zero properties" is true
// for objects alone.
func closeUnion(schema map[string]any) {
	schema["properties"] = map[string]any{
		"replicas": map[string]any{
			"description": "replicas is the count to ask for.",
			"type":        "integer",
			"format":      "int32",
			"minimum":     0,
		},
	}
	schema["anyOf"] = []any{
		map[string]any{"enum": []any{"Hold", "Ignore"}},
		map[string]any{
			"required":      []any{"replicas"},
			"maxProperties": 1,
			"not":           map[string]any{"maxProperties": 0},
		},
	}
}
