package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/jsonapi"
	"github.com/tidemark/tidemark/manifest"
)

// node is a part of a schema. Go writes its keys sorted.
type node = map[string]any

// synthSchema is the JSON Schema of the compact form: the structure of the Go
// types, with the words and bounds that stand in their comments.
func synthSchema() string {
	comments := newComments("manifest", "api/v1alpha1")
	root := comments.schemaOf(reflect.TypeFor[manifest.Autoscaler]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "The compact form of an autoscaler"
	root["description"] = "What tidemark synth reads. A target and maxReplicas are enough. What depends on several fields together, such as " +
		"which quantity a type of metric can have, is told by tidemark synth."
	root["required"] = []string{"target"}
	root["properties"].(node)["kind"] = node{
		"type": "string", "enum": []manifest.Kind{manifest.HorizontalPodAutoscaler, manifest.WorkloadAutoscaler}, "default": manifest.HorizontalPodAutoscaler,
		"description": "What comes out. The flag --kind goes before it.",
	}
	return indented(root)
}

// openAPI is the description of the JSON resource.
func openAPI() string { return indented(jsonapi.OpenAPI()) }

func indented(value any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return out.String()
}

// schemaOf describes a type.
func (c comments) schemaOf(t reflect.Type) node {
	out := node{}
	switch {
	case t == reflect.TypeFor[resource.Quantity]():
		return node{"type": []string{"string", "number"}, "description": "A quantity, such as 500m, 2 or 4Gi."}
	case t == reflect.TypeFor[v1alpha1.OnMissing]():
		return node{"oneOf": []node{
			{"type": "string", "enum": []string{v1alpha1.OnMissingHold, v1alpha1.OnMissingIgnore}},
			{"type": "object", "additionalProperties": false, "properties": node{
				"replicas": node{"type": "integer"}, "afterSeconds": node{"type": "integer"},
				"behavior": node{"type": "string", "enum": []v1alpha1.FallbackBehavior{
					v1alpha1.FallbackStatic, v1alpha1.FallbackCurrent, v1alpha1.FallbackCurrentIfHigher, v1alpha1.FallbackCurrentIfLower,
				}},
			}},
		}}
	case t.Kind() == reflect.Pointer:
		return c.schemaOf(t.Elem())
	case t.Kind() == reflect.Struct:
		properties := node{}
		for field := range t.Fields() {
			c.describeField(t, field, properties)
		}
		out = node{"type": "object", "additionalProperties": false, "properties": properties}
	case t.Kind() == reflect.Slice:
		out = node{"type": "array", "items": c.schemaOf(t.Elem())}
	case t.Kind() == reflect.Map:
		out = node{"type": "object", "additionalProperties": c.schemaOf(t.Elem())}
	case t.Kind() == reflect.Bool:
		out["type"] = "boolean"
	case t.Kind() == reflect.String:
		out["type"] = "string"
	default:
		out["type"] = "integer"
	}
	c[t.Name()].bound(out)
	return out
}

func (c comments) describeField(in reflect.Type, f reflect.StructField, properties node) {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if !f.IsExported() || name == "" || name == "-" {
		return
	}
	schema := c.schemaOf(f.Type)
	comment := c[in.Name()+"."+f.Name]
	comment.bound(schema)
	if comment.text != "" {
		schema["description"] = comment.text
	}
	properties[name] = schema
}

// bound writes what markers say of a value.
func (m comment) bound(schema node) {
	for marker, value := range m.markers {
		switch number, err := strconv.Atoi(value); {
		case marker == "Enum":
			schema["enum"] = strings.Split(value, ";")
		case err != nil:
		case marker == "Minimum":
			schema["minimum"] = number
		case marker == "Maximum":
			schema["maximum"] = number
		case marker == "MinLength":
			schema["minLength"] = number
		case marker == "MaxLength":
			schema["maxLength"] = number
		case marker == "MaxItems":
			schema["maxItems"] = number
		}
	}
}
