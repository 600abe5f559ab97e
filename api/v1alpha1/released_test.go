package v1alpha1_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestDefinitionsOnlyGrow compares the definitions with those of the last
// release: an object that was accepted then is accepted now, and says the same.
// `go run ./hack/publicapi -release` makes those of now the ones to compare with.
func TestDefinitionsOnlyGrow(t *testing.T) {
	files, err := filepath.Glob("../../docs/api/released/*.yaml")
	if err != nil || len(files) != 2 {
		t.Fatalf("the definitions of the last release are %v, error %v", files, err)
	}
	text, err := os.ReadFile("../../docs/api/narrower.txt")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			before, now := definition(t, file), definition(t, filepath.Join("../../config/crd", filepath.Base(file)))
			for _, fault := range narrower("", before, now) {
				found = append(found, fault)
				if !slices.Contains(strings.Split(string(text), "\n"), fault) {
					t.Errorf("%s\n\tTake it back, or put this line into docs/api/narrower.txt and tell users in CHANGELOG.md.", fault)
				}
			}
		})
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") && !slices.Contains(found, line) {
			t.Errorf("docs/api/narrower.txt: %s: is not so: take the line out", line)
		}
	}
}

// TestATargetHasNoNamespace: whoever may write an object in one namespace cannot
// name a workload of another.
func TestATargetHasNoNamespace(t *testing.T) {
	spec := definition(t, "../../config/crd/autoscaling.tidemark.dev_workloadautoscalers.yaml").Properties["spec"]
	fields := slices.Sorted(maps.Keys(spec.Properties["targetRef"].Properties))
	if want := []string{"apiVersion", "kind", "name"}; !slices.Equal(fields, want) {
		t.Errorf("a target is named by %v, want %v", fields, want)
	}
}

// schema is what of a schema can refuse an object.
type schema struct {
	Type       string
	Format     string
	Pattern    string
	Enum       []any
	Required   []string
	Minimum    *float64
	Maximum    *float64
	MaxLength  *int64
	MaxItems   *int64
	MinItems   *int64
	Properties map[string]schema
	Items      *schema
	Additional *schema `json:"additionalProperties"`
	IntOrStr   bool    `json:"x-kubernetes-int-or-string"`
}

func definition(t *testing.T, path string) schema {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Spec struct {
			Versions []struct {
				Name   string
				Schema struct {
					OpenAPIV3Schema schema `json:"openAPIV3Schema"`
				}
			}
		}
	}
	if err := yaml.Unmarshal(text, &read); err != nil || len(read.Spec.Versions) == 0 || read.Spec.Versions[0].Name != "v1alpha1" {
		t.Fatalf("%s: %v", path, err)
	}
	return read.Spec.Versions[0].Schema.OpenAPIV3Schema
}

// narrower lists what a schema refuses that another one took.
func narrower(path string, before, now schema) (faults []string) {
	say := func(format string, args ...any) { faults = append(faults, path+": "+fmt.Sprintf(format, args...)) }
	if before.Type != now.Type || before.IntOrStr != now.IntOrStr {
		say("was of type %q, and is of type %q", before.Type, now.Type)
	}
	if now.Pattern != "" && before.Pattern != now.Pattern {
		say("has another pattern: %q", now.Pattern)
	}
	for _, word := range before.Enum {
		if len(now.Enum) > 0 && !slices.Contains(now.Enum, word) {
			say("no longer takes %v", word)
		}
	}
	if len(before.Enum) == 0 && len(now.Enum) > 0 {
		say("now takes some words only: %v", now.Enum)
	}
	for _, field := range now.Required {
		if !slices.Contains(before.Required, field) {
			say("now demands %s", field)
		}
	}
	for name, tightened := range map[string]bool{
		"minimum": tighter(before.Minimum, now.Minimum, 1), "minItems": tighter(before.MinItems, now.MinItems, 1),
		"maximum": tighter(before.Maximum, now.Maximum, -1), "maxItems": tighter(before.MaxItems, now.MaxItems, -1),
		"maxLength": tighter(before.MaxLength, now.MaxLength, -1),
	} {
		if tightened {
			say("has a narrower %s", name)
		}
	}
	for name, was := range before.Properties {
		is, ok := now.Properties[name]
		if !ok {
			say("no longer has %s", name)
			continue
		}
		faults = append(faults, narrower(path+"."+name, was, is)...)
	}
	for _, inner := range []struct{ before, now *schema }{{before.Items, now.Items}, {before.Additional, now.Additional}} {
		if inner.before != nil && inner.now != nil {
			faults = append(faults, narrower(path+"[]", *inner.before, *inner.now)...)
		}
	}
	return faults
}

// tighter tells whether a bound is new, or has moved in the direction that refuses
// more: up for a lower one, down for an upper one.
func tighter[N int64 | float64](before, now *N, direction int) bool {
	return now != nil && (before == nil || cmp.Compare(*now, *before) == direction)
}

// TestNarrowerDefinitionsAreFound: each way in which a definition can refuse what
// it took before.
func TestNarrowerDefinitionsAreFound(t *testing.T) {
	before := `{type: object, properties: {a: {type: integer, minimum: 1, maximum: 9}, b: {type: string, enum: [x, z], maxLength: 5}, c: {type: array, maxItems: 3, items: {type: string}}}}`
	for name, tc := range map[string]struct {
		now   string
		wants int
	}{
		"the same": {before, 0},
		"more of everything": {`{type: object, properties: {a: {type: integer, maximum: 10}, b: {type: string, enum: [x, z, w]},
			c: {type: array, items: {type: string}}, d: {type: string}}}`, 0},
		"a field is gone":   {`{type: object, properties: {a: {type: integer, minimum: 1, maximum: 9}, b: {type: string, enum: [x, z], maxLength: 5}}}`, 1},
		"a type":            {`{type: object, properties: {a: {type: string}, b: {type: string}, c: {type: array, items: {type: integer}}}}`, 2},
		"bounds":            {`{type: object, properties: {a: {type: integer, minimum: 2, maximum: 8}, b: {type: string, maxLength: 4}, c: {type: array, maxItems: 2}}}`, 4},
		"a word and a need": {`{type: object, required: [a], properties: {a: {type: integer}, b: {type: string, enum: [x]}, c: {type: array}}}`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var was, is schema
			for text, into := range map[string]*schema{before: &was, tc.now: &is} {
				if err := yaml.Unmarshal([]byte(text), into); err != nil {
					t.Fatal(err)
				}
			}
			if tc.now == before {
				is = was
			}
			if faults := narrower("", was, is); len(faults) != tc.wants {
				t.Errorf("%d faults, want %d: %q", len(faults), tc.wants, faults)
			}
		})
	}
}
