package scaletest

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidemark/tidemark/engine"
)

var update = flag.Bool("update", false, "rewrite the explanations in the scripts")

// TestSpec runs every script of the specification.
func TestSpec(t *testing.T) {
	err := filepath.WalkDir("../spec", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".scale" {
			return err
		}
		t.Run(path, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			result, err := Run(path, text, engine.Decide)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.WriteFile(path, result.Updated, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if result.Checks == 0 {
				t.Errorf("%s checks nothing", path)
			}
			for _, f := range result.Failures {
				t.Error(f)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
