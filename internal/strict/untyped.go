package strict

import (
	"go.yaml.in/yaml/v3"

	"github.com/tidemark/tidemark/fault"
)

// untyped writes a value as it is, for types that read their own JSON and for
// values of any type.
func (w *walker) untyped(n *yaml.Node, path fault.Path) {
	switch n = target(n); n.Kind {
	case yaml.MappingNode:
		w.pairs(n, path, func(key, value *yaml.Node) bool {
			return w.key(key.Value, func() { w.untyped(value, placeOf(path, key.Value)) })
		})
	case yaml.SequenceNode:
		w.entries(n, path, w.untyped)
	default:
		w.leaf(n, path, readUntyped)
	}
}

func readUntyped(n *yaml.Node) (any, string) {
	switch {
	case isNull(n):
		return nil, ""
	case isText(n):
		return n.Value, ""
	case isNumber(n):
		if number, ok := jsonNumber(n); ok {
			return number, ""
		}
		return nil, "must be a finite number, got " + got(n)
	}
	return readBool(n)
}
