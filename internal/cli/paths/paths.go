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
	add := func(name string, err error) {
		if !seen[name] {
			seen[name] = true
			out = append(out, Source{name, err})
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case path == "-":
			add(path, nil)
		case err != nil:
			add(filepath.Clean(path), err)
		case info.IsDir():
			walk(path, add)
		default:
			add(filepath.Clean(path), nil)
		}
	}
	return out
}

// walk lists the manifests below a folder. Hidden folders are left out.
func walk(root string, add func(string, error)) {
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			add(path, err)
		case entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		case entry.Type().IsRegular() && IsManifest(path):
			add(path, nil)
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
