package lint

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/scale"
)

// cursor is a place in an object's tree. What is not there is a cursor too, so
// that reading goes on without asking at each step.
type cursor struct {
	node   *yaml.Node
	path   fault.Path
	doc    *strict.Document
	object *Object
}

func (c cursor) there() bool { return c.node != nil && c.node.Tag != "!!null" }

// get returns a field of a map, and remembers its line for findings.
func (c cursor) get(key string) cursor {
	out := cursor{path: c.path.Field(key), doc: c.doc, object: c.object}
	if c.node == nil || c.node.Kind != yaml.MappingNode {
		return out
	}
	for i := 0; i+1 < len(c.node.Content); i += 2 {
		if name := c.node.Content[i]; name.Value == key && name.Kind == yaml.ScalarNode {
			out.node = resolved(c.node.Content[i+1])
			c.object.mark(out.path, c.doc.LineOf(name))
			break
		}
	}
	return out
}

// at follows several fields.
func (c cursor) at(keys ...string) cursor {
	for _, key := range keys {
		c = c.get(key)
	}
	return c
}

// items returns the entries of a list.
func (c cursor) items() []cursor {
	if c.node == nil || c.node.Kind != yaml.SequenceNode {
		return nil
	}
	out := make([]cursor, len(c.node.Content))
	for i, n := range c.node.Content {
		out[i] = cursor{node: resolved(n), path: c.path.Index(i), doc: c.doc, object: c.object}
		c.object.mark(out[i].path, c.doc.LineOf(n))
	}
	return out
}

// keys returns the keys of a map.
func (c cursor) keys() []string {
	if c.node == nil || c.node.Kind != yaml.MappingNode {
		return nil
	}
	var out []string
	for i := 0; i+1 < len(c.node.Content); i += 2 {
		if c.node.Content[i].Kind == yaml.ScalarNode {
			out = append(out, c.node.Content[i].Value)
		}
	}
	return out
}

// texts returns a map of texts, such as labels.
func (c cursor) texts() map[string]string {
	out := map[string]string{}
	for _, key := range c.keys() {
		out[key] = c.get(key).text()
	}
	return out
}

// text returns a scalar as it is written.
func (c cursor) text() string {
	if !c.there() || c.node.Kind != yaml.ScalarNode {
		return ""
	}
	return c.node.Value
}

// words are texts that YAML's older version, which kubectl reads, takes for
// true or false unless they are quoted.
var words = map[string]bool{"y": true, "yes": true, "on": true, "n": true, "no": true, "off": true}

// mode returns a word that switches something, and remembers where it would
// be read as true or false.
func (c cursor) mode() string {
	word := c.text()
	if words[strings.ToLower(word)] && c.node.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0 {
		c.object.bare = append(c.object.bare, c.path)
	}
	return word
}

// integer returns a whole number, nil where there is none.
func (c cursor) integer() *int64 {
	if !c.there() || c.node.Kind != yaml.ScalarNode || c.node.ShortTag() != "!!int" {
		return nil
	}
	n, err := strconv.ParseInt(c.node.Value, 10, 64)
	// Counts and seconds have 32 bits; what is larger is no number to compute with.
	if err != nil || n > 1<<31 || n < -1<<31 {
		return nil
	}
	return &n
}

// amount returns a quantity, nil where there is none.
func (c cursor) amount() *scale.Amount {
	a, err := scale.ParseAmount(c.text())
	if err != nil {
		return nil
	}
	return &a
}

// parts returns a share in billionths, nil where there is none.
func (c cursor) parts() *int64 {
	parts, err := scale.ParseParts(c.text())
	if err != nil {
		return nil
	}
	return &parts
}

func (c cursor) truth() *bool {
	if !c.there() || c.node.Kind != yaml.ScalarNode || c.node.ShortTag() != "!!bool" {
		return nil
	}
	return new(strings.EqualFold(c.node.Value, "true"))
}

func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
