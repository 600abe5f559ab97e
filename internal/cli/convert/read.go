package convert

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/cli/paths"
	"github.com/tidemark/tidemark/internal/strict"
)

// document is one object of the input. Only its head is read, so that faults of
// objects of other kinds do not matter.
type document struct {
	whole *strict.Document
	// place is where the object stands in the whole: an item of a List, or the
	// whole itself.
	place fault.Path
	node  *yaml.Node
	// prefix tells it from the others, if there are any.
	prefix string
	// file is empty for standard input.
	file string
	// broken are the faults of a document that is not YAML.
	broken fault.List
}

// read reads everything that the paths name. A path that cannot be read is a fault of
// the command line.
func read(cmd *cobra.Command, named []string) ([]document, error) {
	sources := paths.Find(named)
	var out []document
	for _, source := range sources {
		if source.Err != nil {
			return nil, fmt.Errorf("%s: %w", source.Name, paths.WithoutPath(source.Err))
		}
		data, err := flags.Read(cmd, source.Name, strict.MaxInput)
		if err != nil {
			return nil, err
		}
		file := source.Name
		if file == "-" {
			file = ""
		}
		documents := split(data)
		for i := range documents {
			documents[i].file = file
			if len(sources) > 1 {
				documents[i].prefix = cmp.Or(file, "standard input") + ": " + documents[i].prefix
			}
		}
		out = append(out, documents...)
	}
	if len(out) == 0 && len(sources) == 1 && sources[0].Name == "-" {
		return nil, errors.New("the input is empty: write at least one document")
	}
	return out, nil
}

// split cuts an input into objects. A List is as many objects as it has items.
func split(data []byte) []document {
	sources, faults := strict.Split(data)
	if len(faults) > 0 {
		return []document{{broken: faults}}
	}
	var out []document
	for i, source := range sources {
		prefix := exit.Numbered(i+1, len(sources))
		parsed, faults := source.Parse()
		if len(faults) > 0 {
			out = append(out, document{prefix: prefix, broken: faults})
			continue
		}
		parsed = parsed.Merged()
		out = append(out, items(document{whole: parsed, node: resolved(parsed.Root()), prefix: prefix})...)
	}
	return out
}

// items takes a List apart.
func items(doc document) []document {
	list := entry(doc.node, "items")
	if !strings.HasSuffix(doc.text("kind"), "List") || list == nil || list.Kind != yaml.SequenceNode {
		return []document{doc}
	}
	out := make([]document, len(list.Content))
	for i, item := range list.Content {
		out[i] = document{whole: doc.whole, node: resolved(item), prefix: doc.prefix, place: fault.Path("items").Index(i)}
	}
	return out
}

// json is the object, read strictly.
func (d *document) json() (json.RawMessage, fault.List) {
	var text json.RawMessage
	return text, d.whole.Part(d.node).Decode(&text)
}

// text is a word of the object, by the fields that lead to it.
func (d *document) text(fields ...string) string {
	n := d.node
	for _, field := range fields {
		n = entry(n, field)
	}
	if n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

// entry is what a map has under a key, nil where there is nothing.
func entry(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return resolved(n.Content[i+1])
		}
	}
	return nil
}

func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// name says what an object is.
func (d *document) name() string {
	kind, name := d.text("kind"), d.text("metadata", "name")
	if namespace := d.text("metadata", "namespace"); namespace != "" && name != "" {
		name = namespace + "/" + name
	}
	if kind == "" {
		return "an object without a kind"
	}
	return oneLine(strings.TrimSpace(kind + " " + name))
}

// locate returns the faults of an object with their lines in the input. Those of its
// form have them already.
func (d *document) locate(err error) fault.List {
	faults := strict.Shorten(fault.Of(err).Under(d.place))
	if len(faults) > 0 && faults[0].Line > 0 {
		return faults
	}
	return d.whole.Locate(faults)
}
