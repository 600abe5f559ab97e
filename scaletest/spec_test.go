package scaletest

import (
	"io/fs"
	"os"
	"path"
	"testing"
)

// TestSpec runs every script of the specification.
func TestSpec(t *testing.T) {
	for name, text := range Suite() {
		t.Run(name, func(t *testing.T) {
			result, err := Run(name, text, Tidemark)
			if err != nil {
				t.Fatal(err)
			}
			if result.Checks == 0 {
				t.Errorf("%s checks nothing", name)
			}
			for _, f := range result.Failures {
				t.Error(f)
			}
		})
	}
}

// TestSuiteIsWhole: what is embedded is what stands in the folder.
func TestSuiteIsWhole(t *testing.T) {
	embedded := map[string]bool{}
	for name := range Suite() {
		embedded[name] = true
	}
	err := fs.WalkDir(os.DirFS(".."), "spec", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".scale" && !embedded[name] {
			t.Errorf("%s is not part of the suite: scripts stand in a folder of spec", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
