package strict

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tidemark/tidemark/fault"
)

// Locate gives each fault the line its path leads to. Faults of meaning are
// found after decoding, when only the path is left. Where the path names
// something that is missing, the line is that of the nearest part that is
// there.
func (d *Document) Locate(list fault.List) fault.List {
	out := make(fault.List, len(list))
	for i, f := range list {
		line, _ := d.follow(f.Path)
		f.Line = line + d.offset
		out[i] = f
	}
	return out
}

// Holds tells whether the document has something at a path.
func (d *Document) Holds(path fault.Path) bool {
	_, whole := d.follow(path)
	return whole
}

// follow goes along a path as far as it leads, and says whether that is to its
// end.
func (d *Document) follow(path fault.Path) (line int, whole bool) {
	n, line := d.root, d.root.Line
	for rest := string(path); rest != ""; {
		var step string
		step, rest = firstStep(rest)
		child, at := childOf(target(n), step)
		if child == nil {
			return line, false
		}
		n, line = child, at
	}
	return line, true
}

// firstStep cuts the first field, index or key off a path. An index keeps its
// bracket, so that it differs from a field of that name.
func firstStep(path string) (step, rest string) {
	if path[0] != '[' {
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			return path, ""
		}
		return path[:end], strings.TrimPrefix(path[end:], ".")
	}
	if quoted, err := strconv.QuotedPrefix(path[1:]); err == nil {
		key, _ := strconv.Unquote(quoted)
		return key, afterBracket(path[1+len(quoted):])
	}
	index, rest, _ := strings.Cut(path, "]")
	return index, strings.TrimPrefix(rest, ".")
}

func afterBracket(rest string) string {
	return strings.TrimPrefix(strings.TrimPrefix(rest, "]"), ".")
}

// childOf returns the child a step leads to and the line it starts on.
func childOf(n *yaml.Node, step string) (*yaml.Node, int) {
	if index, ok := strings.CutPrefix(step, "["); ok && n.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(index); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i], n.Content[i].Line
		}
		return nil, 0
	}
	if n.Kind != yaml.MappingNode {
		return nil, 0
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == step {
			return n.Content[i+1], n.Content[i].Line
		}
	}
	return nil, 0
}
