package strict

import (
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tidemark/tidemark/fault"
)

// structure writes a map whose keys are the fields of a Go struct.
func (w *walker) structure(n *yaml.Node, t reflect.Type, path fault.Path) {
	known := fieldsOf(t)
	w.pairs(n, path, func(key, value *yaml.Node) bool {
		f, ok := known.byName[key.Value]
		if !ok {
			w.fault(key, placeOf(path, key.Value), "unknown field%s", known.hint(key.Value))
			return false
		}
		// A field that is there without a value counts as left out, as it
		// does for Kubernetes.
		return !isNull(value) && w.key(f.name, func() { w.value(value, f.typ, path.Field(f.name)) })
	})
}

// mapping writes a map with keys of the user's own.
func (w *walker) mapping(n *yaml.Node, t reflect.Type, path fault.Path) {
	w.pairs(n, path, func(key, value *yaml.Node) bool {
		return w.key(key.Value, func() { w.entry(value, t.Elem(), path.Key(shown(key.Value))) })
	})
}

// key writes one pair and returns true.
func (w *walker) key(name string, value func()) bool {
	w.encode(name)
	w.json.WriteByte(':')
	value()
	return true
}

// oddKey says what is wrong with a key. Double braces are the way that most templates
// begin, and YAML takes them for a map whose key is a map.
func oddKey(name *yaml.Node) string {
	if name.Kind == yaml.MappingNode {
		return "holds {{…}}, as templates do: render it first, as with helm template"
	}
	return "has a key that is not a plain word: merge keys and composed keys are not supported"
}

// pairs goes through a map's keys, refuses those given twice, and puts the
// commas between the pairs that were written.
func (w *walker) pairs(n *yaml.Node, path fault.Path, write func(key, value *yaml.Node) bool) {
	if n.Kind != yaml.MappingNode || n.ShortTag() != tagMap {
		w.fail(n, path, "must be a map, got %s", got(n))
		return
	}
	w.json.WriteByte('{')
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content) && !w.full(); i += 2 {
		name, value := target(n.Content[i]), n.Content[i+1]
		if name.Kind != yaml.ScalarNode || name.Tag == tagMerge {
			w.fault(name, path, "%s", oddKey(name))
			continue
		}
		if line, twice := first[name.Value]; twice {
			w.fault(name, placeOf(path, name.Value), "is given twice, first on line %d: keep one of them", line)
			continue
		}
		first[name.Value] = name.Line + w.offset
		mark := w.json.Len()
		if w.json.Bytes()[mark-1] != '{' {
			w.json.WriteByte(',')
		}
		if !write(name, value) {
			w.json.Truncate(mark)
		}
	}
	w.json.WriteByte('}')
}

// placeOf is the path of a key whose name may be anything.
func placeOf(path fault.Path, key string) fault.Path {
	if isWord(key) {
		return path.Field(key)
	}
	return path.Key(shown(key))
}

func isWord(key string) bool {
	return key != "" && len(key) <= maxShown && strings.IndexFunc(key, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' && r != '/'
	}) < 0
}
