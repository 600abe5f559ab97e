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
// It also writes the definition for Kubernetes 1.33, which takes a quantity for a
// text of any length whatever its maxLength says, and refuses rules that would
// read such a text for each entry of a list. What those rules refuse elsewhere is
// refused by the controller there, in the object's conditions.
//
// Usage: go run config/crd/tighten.go FILE OLDER
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: tighten FILE OLDER")
		os.Exit(2)
	}
	if err := rewrite(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "tighten:", err)
		os.Exit(1)
	}
}

func rewrite(file, older string) error {
	before, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	after, cheaper, err := tighten(before)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return errors.Join(os.WriteFile(file, after, 0o644), os.WriteFile(older, cheaper, 0o644))
}

// tighten returns the definition with its open ends closed, and the one for older
// API servers. Doing it twice is the same as doing it once.
func tighten(definition []byte) (after, older []byte, err error) {
	var root map[string]any
	if err := yaml.Unmarshal(definition, &root); err != nil {
		return nil, nil, err
	}
	var found count
	found.walk(root)
	if found.unions == 0 || found.quantities == 0 || found.selectors == 0 {
		return nil, nil, errors.New("holds no onMissing, no quantity or no selector: the API or the generator has changed")
	}
	if after, err = yaml.Marshal(root); err != nil {
		return nil, nil, err
	}
	cheapen(root)
	older, err = yaml.Marshal(root)
	return append([]byte("---\n"), after...), append([]byte("---\n"), older...), err
}

// cheapen takes out the rules that read the text of a quantity, or compare it. What
// they say of numbers is said by a minimum; the pattern says of texts that they
// have no sign.
func cheapen(node any) {
	switch node := node.(type) {
	case []any:
		for _, item := range node {
			cheapen(item)
		}
	case map[string]any:
		for _, item := range node {
			cheapen(item)
		}
		rules, ok := node["x-kubernetes-validations"].([]any)
		if !ok {
			return
		}
		kept := slices.DeleteFunc(rules, func(rule any) bool { return tooDear(node, rule.(map[string]any)["rule"].(string)) })
		if node["x-kubernetes-validations"] = kept; len(kept) == 0 {
			delete(node, "x-kubernetes-validations")
		}
	}
}

// tooDear tells whether a rule has to go, and leaves a minimum in its place where
// it has one.
func tooDear(node map[string]any, rule string) bool {
	if _, choice, found := strings.Cut(rule, " == int ? "); found {
		if strings.HasPrefix(rule, "self.all(") {
			node = node["additionalProperties"].(map[string]any)
		}
		number, _, _ := strings.Cut(choice, " : ")
		node["minimum"] = 0
		if strings.HasSuffix(number, " > 0") {
			node["minimum"] = 1
		}
		return true
	}
	return strings.Contains(rule, "quantity(string(")
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
		"afterSeconds": map[string]any{
			"description": "afterSeconds is for how long the sample has to be missing first; until then the metric holds.",
			"type":        "integer",
			"format":      "int32",
			"minimum":     0,
			"maximum":     604800,
		},
		"behavior": map[string]any{
			"description": "behavior says how replicas counts: Static asks for it, Current for the count there is, CurrentIfHigher for the larger and " +
				"CurrentIfLower for the smaller of the two. Without it the count is never lowered.",
			"type": "string",
			"enum": []any{"Static", "Current", "CurrentIfHigher", "CurrentIfLower"},
		},
	}
	current := map[string]any{"behavior": map[string]any{"enum": []any{"Current"}}}
	schema["anyOf"] = []any{
		map[string]any{"enum": []any{"Hold", "Ignore"}},
		exactly(nil, "replicas"),
		exactly(nil, "replicas", "afterSeconds"),
		exactly(nil, "replicas", "behavior"),
		exactly(nil, "replicas", "afterSeconds", "behavior"),
		exactly(current, "behavior"),
		exactly(current, "afterSeconds", "behavior"),
	}
}

// exactly is an object that has these fields and no other: as many as are
// required are all that there may be.
func exactly(properties map[string]any, fields ...any) map[string]any {
	out := map[string]any{"required": fields, "maxProperties": len(fields), "not": map[string]any{"maxProperties": 0}}
	if properties != nil {
		out["properties"] = properties
	}
	return out
}
