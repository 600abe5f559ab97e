package synth

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/strict"
)

// published returns the schema as the verb prints it.
func published(t *testing.T) map[string]any {
	t.Helper()
	stdout, stderr, code := synth("", "--print-schema")
	var out map[string]any
	if err := json.Unmarshal([]byte(stdout), &out); err != nil || code != 0 || stderr != "" {
		t.Fatalf("want a schema, got exit %d, %q, %v", code, stderr, err)
	}
	return out
}

// TestSchemaIsTheForm walks the schema beside the Go types: every field is
// there, none that does not exist, and each has its words.
func TestSchemaIsTheForm(t *testing.T) {
	sameForm(t, "", published(t), reflect.TypeFor[compact]())
}

func sameForm(t *testing.T, path string, schema map[string]any, of reflect.Type) {
	t.Helper()
	switch of.Kind() {
	case reflect.Pointer:
		sameForm(t, path, schema, of.Elem())
	case reflect.Slice:
		sameForm(t, path+"[]", schema["items"].(map[string]any), of.Elem())
	case reflect.Map:
		sameForm(t, path+"{}", schema["additionalProperties"].(map[string]any), of.Elem())
	case reflect.Struct:
		if of == reflect.TypeFor[resource.Quantity]() {
			return
		}
		if of == reflect.TypeFor[v1alpha1.OnMissing]() {
			sameOnMissing(t, schema)
			return
		}
		if schema["additionalProperties"] != false {
			t.Errorf("%s lets unknown fields pass", path)
		}
		properties := schema["properties"].(map[string]any)
		fields := map[string]reflect.Type{}
		jsonFields(of, fields)
		for name, field := range fields {
			property, ok := properties[name].(map[string]any)
			if !ok {
				t.Errorf("%s.%s is not in the schema: run make generate", path, name)
				continue
			}
			if property["description"] == nil && of != reflect.TypeFor[metav1.LabelSelector]() && of != reflect.TypeFor[metav1.LabelSelectorRequirement]() {
				t.Errorf("%s.%s has no words", path, name)
			}
			sameForm(t, path+"."+name, property, field)
		}
		for name := range properties {
			if fields[name] == nil {
				t.Errorf("%s.%s is in the schema only", path, name)
			}
		}
	}
}

func jsonFields(of reflect.Type, into map[string]reflect.Type) {
	for f := range of.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			jsonFields(f.Type, into)
		case f.IsExported() && name != "":
			into[name] = f.Type
		}
	}
}

// TestSchemaAcceptsWhatTheVerbAccepts validates the compact forms of the
// golden files. What synth reads with a warning only is not offered.
func TestSchemaAcceptsWhatTheVerbAccepts(t *testing.T) {
	schema := published(t)
	files, _ := filepath.Glob("testdata/*.txtar")
	tried := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range archive.Files {
			if _, _, code := synth(string(part.Data)); part.Name != "stdin" || code != 0 || strings.Contains(string(part.Data), "MaxPods") {
				continue
			}
			for _, form := range compactForms(t, part.Data) {
				tried++
				for _, problem := range violations(schema, form, "") {
					t.Errorf("%s: %s", file, problem)
				}
			}
		}
	}
	if tried < 5 {
		t.Errorf("only %d forms tried", tried)
	}
}

func TestSchemaRefuses(t *testing.T) {
	schema := published(t)
	for text, want := range map[string]string{
		`{"maxReplicas": 5}`:                                                            ": target is missing",
		`{"target": {}, "maxReplica": 5}`:                                               ".maxReplica is unknown",
		`{"target": {}, "maxReplicas": "5"}`:                                            ".maxReplicas is not of type integer",
		`{"target": {}, "metrics": [{"type": "Cpu"}]}`:                                  ".metrics[0].type is none of",
		`{"target": {}, "learn": {"windowWeeks": 99}}`:                                  ".learn.windowWeeks is above",
		`{"target": {}, "containers": [{"name": "a", "cpu": {"scaling": "Sideways"}}]}`: ".containers[0].cpu.scaling is none of",
	} {
		t.Run(text, func(t *testing.T) {
			var form any
			if err := json.Unmarshal([]byte(text), &form); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(violations(schema, form, ""), "\n"); !strings.Contains(got, want) {
				t.Errorf("%s: want %q, got %q", text, want, got)
			}
		})
	}
}

// compactForms are the documents of an input that are no workloads.
func compactForms(t *testing.T, data []byte) []any {
	t.Helper()
	sources, faults := strict.Split(data)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	var out []any
	for _, s := range sources {
		doc, faults := s.Parse()
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		var form map[string]any
		if _ = doc.Decode(&form); form["apiVersion"] == nil {
			out = append(out, any(form))
		}
	}
	return out
}

// violations checks a value by the words of JSON Schema that the schema uses.
func violations(schema map[string]any, value any, path string) []string {
	var out []string
	if kinds, ok := schema["type"]; ok && !slices.ContainsFunc(listOf(kinds), func(kind any) bool { return isOf(kind.(string), value) }) {
		return []string{fmt.Sprintf("%s is not of type %v", path, kinds)}
	}
	if words, ok := schema["enum"].([]any); ok && !slices.Contains(words, value) {
		out = append(out, fmt.Sprintf("%s is none of %v", path, words))
	}
	if number, ok := value.(float64); ok {
		if most, bounded := schema["maximum"].(float64); bounded && number > most {
			out = append(out, fmt.Sprintf("%s is above %v", path, most))
		}
		if least, bounded := schema["minimum"].(float64); bounded && number < least {
			out = append(out, fmt.Sprintf("%s is below %v", path, least))
		}
	}
	if entries, ok := value.([]any); ok {
		for i, entry := range entries {
			out = append(out, violations(schema["items"].(map[string]any), entry, fmt.Sprintf("%s[%d]", path, i))...)
		}
	}
	if fields, ok := value.(map[string]any); ok {
		out = append(out, violationsOfFields(schema, fields, path)...)
	}
	return out
}

func violationsOfFields(schema map[string]any, fields map[string]any, path string) []string {
	var out []string
	for _, name := range listOf(schema["required"]) {
		if name != nil && fields[name.(string)] == nil {
			out = append(out, fmt.Sprintf("%s: %s is missing", path, name))
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, value := range fields {
		below, known := properties[name].(map[string]any)
		if !known {
			below, known = schema["additionalProperties"].(map[string]any)
		}
		if !known {
			out = append(out, path+"."+name+" is unknown")
			continue
		}
		out = append(out, violations(below, value, path+"."+name)...)
	}
	return out
}

func listOf(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}

func isOf(kind string, value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return kind == "object"
	case []any:
		return kind == "array"
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && v == float64(int64(v))
	}
	return false
}

// sameOnMissing compares what is a word or an object with what the object becomes.
func sameOnMissing(t *testing.T, schema map[string]any) {
	t.Helper()
	text, err := json.Marshal(v1alpha1.OnMissing{Replicas: new(int32(1)), AfterSeconds: new(int32(1)), Behavior: v1alpha1.FallbackStatic})
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	forms := schema["oneOf"].([]any)
	object := forms[1].(map[string]any)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(fields)), slices.Sorted(maps.Keys(object["properties"].(map[string]any)))); diff != "" {
		t.Errorf("onMissing (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]any{v1alpha1.OnMissingHold, v1alpha1.OnMissingIgnore}, forms[0].(map[string]any)["enum"]); diff != "" {
		t.Errorf("words of onMissing (-want +got):\n%s", diff)
	}
}
