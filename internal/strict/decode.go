package strict

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tidemark/tidemark/fault"
)

// Decode reads the document into the value that into points to. When there
// are faults, the value holds what was readable: parts of the document that no
// fault's path lies in can be used, which lets a caller go on looking for
// faults of meaning there.
func (d *Document) Decode(into any) fault.List {
	w := walker{offset: d.offset}
	if isNull(d.root) {
		w.fail(d.root, "", "must be a map, got nothing")
		return w.faults
	}
	w.value(d.root, reflect.TypeOf(into).Elem(), "")
	if err := json.Unmarshal(w.json.Bytes(), into); err != nil && len(w.faults) == 0 {
		w.fault(d.root, "", "cannot be read: %v", err)
	}
	return w.faults
}

// walker goes through the document and the Go type side by side. It writes
// each value as the JSON the type reads, null where there is a fault.
type walker struct {
	json   bytes.Buffer
	faults fault.List
	offset int
}

// fail records a fault and writes null for the value.
func (w *walker) fail(n *yaml.Node, path fault.Path, format string, args ...any) {
	w.fault(n, path, format, args...)
	w.json.WriteString("null")
}

func (w *walker) fault(n *yaml.Node, path fault.Path, format string, args ...any) {
	if w.full() {
		return
	}
	message := oneLine(fmt.Sprintf(format, args...), maxMessage)
	if path == "" {
		message = "the document " + message
	}
	w.faults = append(w.faults, fault.Fault{Path: path, Message: message, Line: n.Line + w.offset})
	if len(w.faults) == MaxFaults {
		w.faults.Add("", "stopped after %d faults: fix these first", MaxFaults)
	}
}

// full tells that enough faults were found. The rest of the document is then
// passed over quickly.
func (w *walker) full() bool { return len(w.faults) > MaxFaults }

// value writes one value that is not null.
func (w *walker) value(n *yaml.Node, t reflect.Type, path fault.Path) {
	n = target(n)
	if w.full() {
		w.json.WriteString("null")
		return
	}
	if read, ok := leaves[t]; ok {
		w.leaf(n, path, read)
		return
	}
	pointer := reflect.PointerTo(t)
	switch {
	case t.Kind() == reflect.Pointer:
		w.value(n, t.Elem(), path)
	case pointer.Implements(unmarshalerType):
		w.unmarshaler(n, t, path)
	case pointer.Implements(textType):
		w.leaf(n, path, func(n *yaml.Node) (any, string) { return readText(n, t) })
	case t.Kind() == reflect.Struct:
		w.structure(n, t, path)
	case t.Kind() == reflect.Map:
		w.mapping(n, t, path)
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		w.list(n, t, path)
	case t.Kind() == reflect.Interface:
		w.untyped(n, path)
	default:
		w.leaf(n, path, func(n *yaml.Node) (any, string) { return readKind(n, t) })
	}
}

// leaf writes a scalar that read understands.
func (w *walker) leaf(n *yaml.Node, path fault.Path, read leafReader) {
	value, problem := read(n)
	if problem != "" {
		w.fail(n, path, "%s", problem)
		return
	}
	w.encode(value)
}

func (w *walker) encode(value any) {
	text, err := json.Marshal(value)
	if err != nil {
		// Only texts, numbers and booleans get here.
		panic(err)
	}
	w.json.Write(text)
}

var (
	unmarshalerType = reflect.TypeFor[json.Unmarshaler]()
	textType        = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// unmarshaler lets a type that reads its own JSON judge the value.
func (w *walker) unmarshaler(n *yaml.Node, t reflect.Type, path fault.Path) {
	start, before := w.json.Len(), len(w.faults)
	w.untyped(n, path)
	if len(w.faults) > before {
		return
	}
	own := reflect.New(t).Interface().(json.Unmarshaler)
	if err := own.UnmarshalJSON(w.json.Bytes()[start:]); err != nil {
		w.json.Truncate(start)
		w.fail(n, path, "%s", withoutName(err.Error(), path))
	}
}

// withoutName leaves out what the path says already: types that read
// themselves tend to start their complaints with the name of their field.
func withoutName(message string, path fault.Path) string {
	message = strings.TrimPrefix(message, "json: ")
	name := string(path[strings.LastIndexByte(string(path), '.')+1:])
	return strings.TrimPrefix(message, name+": ")
}

func (w *walker) list(n *yaml.Node, t reflect.Type, path fault.Path) {
	w.entries(n, path, func(entry *yaml.Node, path fault.Path) { w.entry(entry, t.Elem(), path) })
}

// entries goes through a list's entries and puts the commas between them.
func (w *walker) entries(n *yaml.Node, path fault.Path, write func(entry *yaml.Node, path fault.Path)) {
	if n.Kind != yaml.SequenceNode || n.ShortTag() != tagList {
		w.fail(n, path, "must be a list, got %s", got(n))
		return
	}
	w.json.WriteByte('[')
	for i, entry := range n.Content {
		if w.full() {
			break
		}
		if i > 0 {
			w.json.WriteByte(',')
		}
		write(entry, path.Index(i))
	}
	w.json.WriteByte(']')
}

// entry writes an entry of a list or a map, where nothing is not the same as
// left out.
func (w *walker) entry(n *yaml.Node, t reflect.Type, path fault.Path) {
	switch {
	case !isNull(n):
		w.value(n, t, path)
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface:
		w.json.WriteString("null")
	default:
		w.fail(n, path, "must not be empty: give it a value or remove it")
	}
}
