package convert

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/cli/paths"
	"github.com/tidemark/tidemark/internal/convert/manifests"
	"github.com/tidemark/tidemark/internal/strict"
)

// document is one object of the input.
type document struct {
	manifests.Document
	// folder is the one its file was found in; empty where the file was named.
	folder string
	found  bool
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
		file, folder := source.Name, ""
		if file == "-" {
			file = ""
		}
		if source.Found {
			folder = filepath.Dir(file)
		}
		for _, doc := range manifests.Split(data) {
			if len(sources) > 1 {
				doc.Prefix = cmp.Or(file, "standard input") + ": " + doc.Prefix
			}
			out = append(out, document{doc, folder, source.Found})
		}
	}
	if len(out) == 0 && len(sources) == 1 && sources[0].Name == "-" {
		return nil, errors.New("the input is empty: write at least one document")
	}
	return out, nil
}
