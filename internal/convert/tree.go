package convert

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/strict"
)

// parse reads a document as a tree. Numbers keep the text they were written
// with, because a quantity may be one.
func parse(document []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var tree map[string]any
	if err := decoder.Decode(&tree); err != nil || tree == nil {
		return nil, fault.List{{Message: "the document must be an object"}}
	}
	return tree, nil
}

// decode reads the input into a type. Fields that the type does not have are
// left out first: they end up in the report, and nobody is refused for them.
// Everything else is read strictly.
func (d *draft) decode(into any) fault.List { return d.decodeTree(d.tree, "", into) }

// decodeTree is decode for a part of the input, or for a text inside it.
func (d *draft) decodeTree(tree map[string]any, at fault.Path, into any) fault.List {
	text, err := json.Marshal(d.known(reflect.TypeOf(into).Elem(), tree, at))
	if err != nil {
		return fault.List{{Message: "the document cannot be read: " + err.Error()}}
	}
	return withoutLines(strict.Unmarshal(text, into))
}

// withoutLines takes out the lines of faults: they are those of JSON that was
// written here. Whoever holds the original finds its lines by the paths.
func withoutLines(faults fault.List) fault.List {
	for i := range faults {
		faults[i].Line = 0
	}
	return faults
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// known returns the part of a value that a type has fields for, and remembers
// the rest.
func (d *draft) known(t reflect.Type, value any, path fault.Path) any {
	if t.Kind() == reflect.Pointer {
		return d.known(t.Elem(), value, path)
	}
	if reflect.PointerTo(t).Implements(unmarshaler) {
		return value
	}
	switch v := value.(type) {
	case map[string]any:
		return d.knownEntries(t, v, path)
	case []any:
		if t.Kind() != reflect.Slice {
			return value
		}
		out := make([]any, len(v))
		for i := range v {
			out[i] = d.known(t.Elem(), v[i], path.Index(i))
		}
		return out
	}
	return value
}

func (d *draft) knownEntries(t reflect.Type, entries map[string]any, path fault.Path) any {
	out := map[string]any{}
	switch t.Kind() {
	case reflect.Struct:
		fields := map[string]reflect.Type{}
		collectFields(t, fields)
		for name, value := range entries {
			if field, ok := fields[name]; ok {
				out[name] = d.known(field, value, child(path, name))
			} else {
				d.unknown = append(d.unknown, child(path, name))
			}
		}
	case reflect.Map:
		for name, value := range entries {
			out[name] = d.known(t.Elem(), value, child(path, name))
		}
	default:
		return entries
	}
	return out
}

// collectFields lists the fields of a struct as JSON knows them, those of
// embedded structs included.
func collectFields(t reflect.Type, into map[string]reflect.Type) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			collectFields(f.Type, into)
		case f.IsExported() && name != "" && name != "-":
			into[name] = f.Type
		}
	}
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// child is the path of an entry of a map. Keys that are no plain names, such
// as those of annotations, are quoted.
func child(path fault.Path, key string) fault.Path {
	if plainName.MatchString(key) {
		return path.Field(key)
	}
	return path.Key(key)
}
