package manifests

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/convert"
	"github.com/tidemark/tidemark/internal/strict"
)

// Document is one object of an input. Only its head is read at first, so that faults
// of objects of other kinds do not matter.
type Document struct {
	whole *strict.Document
	// place is where the object stands in the whole: an item of a List, or the
	// whole itself.
	place fault.Path
	node  *yaml.Node
	// Prefix tells it from the others, if there are any.
	Prefix string
	// Broken are the faults of a document that is not YAML, whose text is kept.
	Broken fault.List
	text   []byte
}

// numbered is the prefix that tells a document of an input from the others.
func numbered(number, of int) string {
	if of < 2 {
		return ""
	}
	return fmt.Sprintf("document %d: ", number)
}

// oneLine keeps names that hold line ends from breaking lines.
var oneLine = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`)

// Convert converts the object, and returns it as JSON too. Of kinds that are not
// converted nothing more is read. Faults have their lines in the input.
func (d *Document) Convert() (convert.Result, []byte, error) {
	switch kind := d.Text("kind"); {
	case len(d.Broken) > 0:
		return convert.Result{}, nil, d.Broken
	case kind != "" && !convert.IsKind(kind):
		return convert.Result{}, nil, convert.ErrUnknownKind
	}
	text, faults := d.JSON()
	if len(faults) > 0 {
		return convert.Result{}, nil, d.locate(faults)
	}
	result, err := convert.Convert(text)
	if err != nil && !errors.Is(err, convert.ErrUnknownKind) {
		err = d.locate(err)
	}
	return result, text, err
}

// kindLine is where a text that is not YAML says its kind.
var kindLine = regexp.MustCompile(`(?m)^[\s{"]*kind"?\s*:\s*["']?(\w+)`)

// Stranger tells whether a document that cannot be read is none that would be
// converted, as folders hold them: a chart's templates, and what is no object.
func (d *Document) Stranger() bool {
	if len(d.Broken) > 0 {
		return !slices.ContainsFunc(kindLine.FindAllSubmatch(d.text, -1), func(match [][]byte) bool { return convert.IsKind(string(match[1])) })
	}
	_, faults := d.JSON()
	return d.Text("kind") == "" && (len(faults) > 0 || d.node.Kind != yaml.MappingNode)
}

// Split cuts an input into objects. A List is as many objects as it has items.
func Split(data []byte) []Document {
	sources, faults := strict.Split(data)
	if len(faults) > 0 {
		return []Document{{Broken: faults, text: data}}
	}
	var out []Document
	for i, source := range sources {
		prefix := numbered(i+1, len(sources))
		parsed, faults := source.Parse()
		if len(faults) > 0 {
			out = append(out, Document{Prefix: prefix, Broken: faults, text: source.Text()})
			continue
		}
		parsed = parsed.Merged()
		out = append(out, items(Document{whole: parsed, node: resolved(parsed.Root()), Prefix: prefix})...)
	}
	return out
}

// items takes a List apart.
func items(doc Document) []Document {
	list := entry(doc.node, "items")
	if !strings.HasSuffix(doc.Text("kind"), "List") || list == nil || list.Kind != yaml.SequenceNode {
		return []Document{doc}
	}
	out := make([]Document, len(list.Content))
	for i, item := range list.Content {
		out[i] = Document{whole: doc.whole, node: resolved(item), Prefix: doc.Prefix, place: fault.Path("items").Index(i)}
	}
	return out
}

// JSON is the object, read strictly.
func (d *Document) JSON() (json.RawMessage, fault.List) {
	var text json.RawMessage
	return text, d.whole.Part(d.node).Decode(&text)
}

// Text is a word of the object, by the fields that lead to it.
func (d *Document) Text(fields ...string) string {
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

// Name says what an object is.
func (d *Document) Name() string {
	kind, name := d.Text("kind"), d.Text("metadata", "name")
	if namespace := d.Text("metadata", "namespace"); namespace != "" && name != "" {
		name = namespace + "/" + name
	}
	if kind == "" {
		return "an object without a kind"
	}
	return oneLine.Replace(strings.TrimSpace(kind + " " + name))
}

// locate returns the faults of an object with their lines in the input. Those of its
// form have them already.
func (d *Document) locate(err error) fault.List {
	faults := strict.Shorten(fault.Of(err).Under(d.place))
	if len(faults) > 0 && faults[0].Line > 0 {
		return faults
	}
	return d.whole.Locate(faults)
}

// Tree is an object as a manifest has it, without what only the cluster writes.
func Tree(object any) (map[string]any, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	delete(tree, "status")
	if meta, ok := tree["metadata"].(map[string]any); ok {
		delete(meta, "creationTimestamp")
	}
	return tree, nil
}
