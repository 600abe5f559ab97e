package jsonapi

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// object is a node of the OpenAPI document. Go writes its keys sorted, so that
// the document is the same every time.
type object = map[string]any

// schemas are the Go types that are published, by their names.
var schemas = map[string]reflect.Type{
	"Resource": reflect.TypeFor[Resource](),
	"Page":     reflect.TypeFor[Page](),
	"Problem":  reflect.TypeFor[Problem](),
}

// schemaOf describes a Go type. A field is described by its tags: json names
// it, doc says what it is, enum and minimum bound it. A field that may be left
// out of the JSON is not required.
func schemaOf(t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[metav1.Time]():
		return object{"type": "string", "format": "date-time"}
	case t.Kind() == reflect.Pointer:
		return schemaOf(t.Elem())
	case t.Kind() == reflect.Slice:
		return object{"type": "array", "items": schemaOf(t.Elem())}
	case t.Kind() == reflect.Struct:
		properties, required := object{}, []string{}
		describeFields(t, properties, &required)
		return object{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
	case t.Kind() == reflect.String:
		return object{"type": "string"}
	case t.Kind() == reflect.Int32:
		return object{"type": "integer", "format": "int32"}
	case t.Kind() == reflect.Int || t.Kind() == reflect.Int64:
		return object{"type": "integer", "format": "int64"}
	}
	// Only a programmer who adds a field of another type comes here, and the
	// tests come first.
	panic(fmt.Sprintf("no schema for %s", t))
}

// describeFields describes the fields of a struct, those of embedded structs
// among them.
func describeFields(t reflect.Type, properties object, required *[]string) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			describeFields(f.Type, properties, required)
			continue
		case !f.IsExported():
			continue
		}
		schema := schemaOf(f.Type)
		schema["description"] = f.Tag.Get("doc")
		if words := f.Tag.Get("enum"); words != "" {
			schema["enum"] = strings.Split(words, ",")
		}
		if least, err := strconv.Atoi(f.Tag.Get("minimum")); err == nil {
			schema["minimum"] = least
		}
		properties[name] = schema
		if !strings.Contains(options, "omitempty") {
			*required = append(*required, name)
		}
	}
}
