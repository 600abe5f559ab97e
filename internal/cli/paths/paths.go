package paths

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Source is one input: a file, or - for standard input.
type Source struct {
	Name string
	// Err says why it cannot be read.
	Err error
	// Found is set where a folder was named, and not the file.
	Found bool
}

// WithoutPath leaves out the name, which is told beside the error.
func WithoutPath(err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return failed.Err
	}
	return err
}

// Find lists the inputs behind the paths, each once.
func Find(paths []string) []Source {
	var out []Source
	seen := map[string]bool{}
	add := func(s Source) {
		if !seen[s.Name] {
			seen[s.Name] = true
			out = append(out, s)
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case path == "-":
			add(Source{Name: path})
		case err != nil:
			add(Source{Name: filepath.Clean(path), Err: err})
		case info.IsDir():
			walk(path, add)
		default:
			add(Source{Name: filepath.Clean(path)})
		}
	}
	return out
}

// walk lists the manifests below a folder. Hidden folders are left out.
func walk(root string, add func(Source)) {
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			add(Source{Name: path, Err: err, Found: true})
		case entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		case entry.Type().IsRegular() && IsManifest(path):
			add(Source{Name: path, Found: true})
		}
		return nil
	})
}

// IsManifest tells whether a file may hold manifests, by its name.
func IsManifest(path string) bool {
	switch filepath.Ext(path) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}
