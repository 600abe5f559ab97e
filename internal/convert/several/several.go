package several

import (
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/internal/convert"
	"github.com/tidemark/tidemark/internal/convert/manifests"
)

// Conversion is a converted object beside what it was made of.
type Conversion struct {
	convert.Result
	// Document is the original as JSON.
	Document []byte
	// Folder is where it was found; empty where it was named.
	Folder string
}

// Manifest is an object as it is written, and what to know before it is applied.
type Manifest struct {
	Tree     map[string]any
	Comments []string
}

// Manifests are the objects, each before what is left of its original.
func Manifests(results []Conversion) ([]Manifest, error) {
	var out []Manifest
	for _, r := range results {
		if r.Joined {
			continue
		}
		tree, err := manifests.Tree(r.Object)
		if err != nil {
			return nil, err
		}
		var joined []Conversion
		for _, other := range results {
			if other.Joined && other.Object == r.Object {
				joined = append(joined, other)
			}
		}
		if out = append(out, Manifest{tree, comments(&r, joined)}); r.Beside != nil {
			out = append(out, Manifest{Tree: r.Beside})
		}
	}
	return out, nil
}

// Title is the kind and the name of an object.
func Title(r convert.Report) string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	return fmt.Sprintf("%s %s", r.Kind, name)
}

// OneLine keeps names that hold line ends or tabs from breaking the table.
func OneLine(text string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text)
}
