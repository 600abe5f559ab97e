package scaletest

import (
	"io/fs"
	"iter"
	"path"

	"github.com/tidemark/tidemark/spec"
)

// Suite yields the scripts that are Tidemark's own specification, with their
// names, in order.
func Suite() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		// What is embedded can always be read.
		_ = fs.WalkDir(spec.Scripts, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := spec.Scripts.ReadFile(name)
			if err == nil && !yield(path.Join("spec", name), text) {
				return fs.SkipAll
			}
			return err
		})
	}
}
