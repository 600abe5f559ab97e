package lint_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidemark/tidemark/internal/lint"
)

// TestWildManifestsAreClean reads what people write, of every kind and in every
// shape, together. Nothing is wrong with any of it.
func TestWildManifestsAreClean(t *testing.T) {
	all := &lint.Set{}
	err := filepath.WalkDir("testdata/clean", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		all.Add(lint.Read(filepath.ToSlash(path), file))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if all.Documents < 25 {
		t.Errorf("only %d documents were read", all.Documents)
	}
	for _, f := range lint.Check(all) {
		t.Errorf("%s:%d %s %s %s", f.File, f.Line, f.Rule, f.Path, f.Message)
	}
}
