package convert

import (
	"encoding/json"
	"fmt"

	"github.com/tidemark/tidemark/internal/cli/exit"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/strict"
)

// document is one object of the input.
type document struct {
	json []byte
	// prefix tells it from the others, if there are any.
	prefix string
	source *strict.Document
	// place is where the object stands in its source: an item of a List, or
	// the whole.
	place fault.Path
}

// read cuts the input into objects. A List is as many objects as it has items.
func read(data []byte) ([]document, fault.List) {
	sources, faults := strict.Split(data)
	if len(faults) > 0 {
		return nil, faults
	}
	var out []document
	for i, source := range sources {
		parsed, problems := source.Parse()
		var text json.RawMessage
		if len(problems) == 0 {
			problems = parsed.Decode(&text)
		}
		if len(problems) > 0 {
			faults = append(faults, problems...)
			continue
		}
		out = append(out, items(document{json: text, prefix: exit.Numbered(i+1, len(sources)), source: parsed})...)
	}
	return out, faults
}

// items takes a List apart.
func items(doc document) []document {
	var list struct {
		Kind  string            `json:"kind"`
		Items []json.RawMessage `json:"items"`
	}
	if json.Unmarshal(doc.json, &list) != nil || list.Kind != "List" {
		return []document{doc}
	}
	out := make([]document, len(list.Items))
	for i, item := range list.Items {
		out[i] = document{json: item, prefix: doc.prefix, source: doc.source, place: fault.Path("items").Index(i)}
	}
	return out
}

// name says what an object that cannot be converted is.
func (d document) name() string {
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if json.Unmarshal(d.json, &head) != nil || head.Kind == "" {
		return "an object without a kind"
	}
	return fmt.Sprintf("%q of kind %q in %q", head.Metadata.Name, head.Kind, head.APIVersion)
}

// locate returns the faults of an object with their lines in the input.
func (d document) locate(err error) fault.List {
	return d.source.Locate(strict.Shorten(fault.Of(err).Under(d.place)))
}
