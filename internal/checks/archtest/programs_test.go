package archtest

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// magic begins the files of programs: of Linux, of Windows and of macOS.
var magic = [][]byte{{0x7f, 'E', 'L', 'F'}, {'M', 'Z'}, {0xcf, 0xfa, 0xed, 0xfe}}

// TestNoProgramIsKept: what is built is in bin, and never beside its source, from
// where it would be committed.
func TestNoProgramIsKept(t *testing.T) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || filepath.ToSlash(path) == root+"/bin"):
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		begins := make([]byte, 4)
		if _, err := io.ReadFull(file, begins); err != nil {
			return nil // it is shorter than any program
		}
		for _, m := range magic {
			if bytes.HasPrefix(begins, m) {
				t.Errorf("%s is a program", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
