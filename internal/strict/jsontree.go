package strict

import (
	"bytes"
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"
)

// jsonTree builds the tree of a text that is valid JSON.
func jsonTree(text []byte) (*yaml.Node, error) {
	b := jsonBuilder{text: text, tokens: json.NewDecoder(bytes.NewReader(text)), line: 1}
	b.tokens.UseNumber()
	return b.value(0)
}

type jsonBuilder struct {
	text   []byte
	tokens *json.Decoder
	// line is the line of the last token, offset where that token ended.
	line, offset int
}

func (b *jsonBuilder) next() (json.Token, error) {
	token, err := b.tokens.Token()
	end := int(b.tokens.InputOffset())
	b.line += bytes.Count(b.text[b.offset:end], []byte("\n"))
	b.offset = end
	return token, err
}

func (b *jsonBuilder) value(depth int) (*yaml.Node, error) {
	token, err := b.next()
	if err != nil {
		return nil, err
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: b.line}
	switch v := token.(type) {
	case json.Delim:
		return n, b.children(n, v, depth)
	case string:
		n.Tag, n.Value, n.Style = tagText, v, yaml.DoubleQuotedStyle
	case json.Number:
		n.Tag, n.Value = tagInt, v.String()
		if strings.ContainsAny(n.Value, ".eE") {
			n.Tag = tagFloat
		}
	case bool:
		n.Tag, n.Value = tagBool, "false"
		if v {
			n.Value = "true"
		}
	default:
		n.Tag, n.Value = tagNull, "null"
	}
	return n, nil
}

// children fills in a map or a list up to its closing delimiter.
func (b *jsonBuilder) children(n *yaml.Node, opening json.Delim, depth int) error {
	n.Kind = yaml.SequenceNode
	if opening == '{' {
		n.Kind = yaml.MappingNode
	}
	if depth > maxDepth {
		return errTooDeep
	}
	for b.tokens.More() {
		child, err := b.value(depth + 1)
		if err != nil {
			return err
		}
		n.Content = append(n.Content, child)
	}
	_, err := b.next()
	return err
}
