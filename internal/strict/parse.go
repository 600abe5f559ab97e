package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tidemark/tidemark/fault"
)

// Document is one parsed document.
type Document struct {
	root *yaml.Node
	// offset is what has to be added to a node's line.
	offset int
}

var (
	errTooDeep  = errors.New("the document is nested deeper than 100 levels")
	errTooLarge = errors.New("the document has more than 2000000 values: aliases count as often as they are used")
)

// Parse reads the document's structure.
func (s Source) Parse() (*Document, fault.List) {
	if s.mayOverflow() {
		return nil, fault.List{{Message: errTooLarge.Error()}}
	}
	root, err := s.tree()
	if err == nil {
		err = measure(root)
	}
	if err != nil {
		return nil, fault.List{s.syntax(err)}
	}
	return &Document{root: root, offset: s.line - 1}, nil
}

// mayOverflow tells whether the text could hold too many values, before any of
// them takes memory. Each pair of values needs one of these marks at least.
func (s Source) mayOverflow() bool {
	marks := 0
	for _, mark := range []string{",", "[", "{", "\n", "- ", "-\t", "? "} {
		marks += bytes.Count(s.text, []byte(mark))
	}
	return marks > maxValues
}

// tree parses JSON as JSON, because YAML knows only most of it, and everything
// else as YAML.
func (s Source) tree() (*yaml.Node, error) {
	if json.Valid(s.text) {
		return jsonTree(s.text)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(s.text))
	var doc, more yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		return nil, err
	}
	// The parser reads one document at a time: what stands behind it is
	// looked at only when asked for.
	switch err := decoder.Decode(&more); {
	case errors.Is(err, io.EOF):
		return doc.Content[0], nil
	case err == nil:
		return nil, errors.New("yaml: a value stands behind the end of the document")
	default:
		return nil, err
	}
}

// syntax words a parser's complaint, with its line counted in the input. The
// YAML parser's lines are those of the surrounding structure, sometimes one
// too early, so they are only near.
func (s Source) syntax(err error) fault.Fault {
	text, isYAML := strings.CutPrefix(err.Error(), "yaml: ")
	if !isYAML {
		return fault.Fault{Message: text}
	}
	line := 1
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		number, message, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			line, text = n, message
		}
	}
	return fault.Fault{Message: "the document is not valid YAML: " + oneLine(text, maxMessage), Line: line + s.line - 1, Near: true}
}

// measure refuses documents that are too deep or, with their aliases written
// out, too large. An alias inside its own anchor is endlessly deep.
func measure(root *yaml.Node) error {
	left := maxValues
	var visit func(n *yaml.Node, depth int) error
	visit = func(n *yaml.Node, depth int) error {
		n = target(n)
		if left--; left < 0 {
			return errTooLarge
		}
		if depth > maxDepth {
			return errTooDeep
		}
		for _, child := range n.Content {
			if err := visit(child, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return visit(root, 0)
}

// target is the node an alias stands for, or the node itself.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
