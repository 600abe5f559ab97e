package jsonapi

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOpenAPIDescribesEverything walks the document as a reader would: every
// reference leads somewhere, everything has a description, and every parameter
// of a path is described.
func TestOpenAPIDescribesEverything(t *testing.T) {
	text, err := json.Marshal(OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	components := document["components"].(map[string]any)["schemas"].(map[string]any)
	var walk func(path string, node any)
	walk = func(path string, node any) {
		switch n := node.(type) {
		case map[string]any:
			if about, ok := n["description"]; ok && about == "" {
				t.Errorf("%s has an empty description", path)
			}
			if ref, ok := n["$ref"].(string); ok && components[strings.TrimPrefix(ref, "#/components/schemas/")] == nil {
				t.Errorf("%s leads nowhere: %s", path, ref)
			}
			for key, below := range n {
				walk(path+"/"+key, below)
			}
		case []any:
			for _, below := range n {
				walk(path, below)
			}
		}
	}
	walk("", document)
	for i := range routes {
		r := &routes[i]
		for _, name := range []string{"namespace", "name"} {
			if strings.Contains(r.path, "{"+name+"}") != slices.Contains(r.parameters, name) {
				t.Errorf("%s: the parameter %s is not the path's", r.id, name)
			}
		}
		for _, status := range r.problems {
			if problemsOf[status].about == "" {
				t.Errorf("%s: status %d is not described", r.id, status)
			}
		}
	}
}

// TestSchemaIsTheResource compares the schema with what is really written.
func TestSchemaIsTheResource(t *testing.T) {
	schema := schemaOf(reflect.TypeFor[Resource]())
	var written map[string]any
	if err := json.Unmarshal([]byte(sample), &written); err != nil {
		t.Fatal(err)
	}
	properties := schema["properties"].(object)
	for name := range written {
		if properties[name] == nil {
			t.Errorf("the sample's %s is not described", name)
		}
	}
	if diff := cmp.Diff([]string{"name", "scaleTargetKind", "scaleTargetName", "maxReplicas"}, schema["required"]); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
	cpu := properties["resourceMetrics"].(object)["items"].(object)["properties"].(object)["resourceName"].(object)
	if diff := cmp.Diff([]string{"cpu", "memory"}, cpu["enum"]); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
}
