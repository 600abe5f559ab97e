package lint

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/lint"
)

// source is one input: a file, or standard input.
type source struct {
	name string
	// err says why it cannot be read.
	err error
}

// readPaths reads everything that the paths name. Files are read side by side,
// each without holding more than one of its documents, and put together in
// their order.
func readPaths(cmd *cobra.Command, paths []string) *lint.Set {
	sources := find(paths)
	sets := make([]*lint.Set, len(sources))
	var next, done atomic.Int64
	stop := watch(cmd.ErrOrStderr(), &done, len(sources))
	defer stop()
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(sources)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(sources)); i = next.Add(1) - 1 {
				sets[i] = sources[i].read(cmd)
				done.Add(1)
			}
		})
	}
	workers.Wait()
	all := &lint.Set{}
	for _, set := range sets {
		all.Add(set)
	}
	return all
}

func (s source) read(cmd *cobra.Command) *lint.Set {
	if s.err == nil && s.name == "-" {
		return lint.Read(s.name, cmd.InOrStdin())
	}
	file, err := os.Open(s.name)
	if s.err != nil {
		err = s.err
	}
	if err != nil {
		set := &lint.Set{}
		set.Refuse(filepath.ToSlash(s.name), withoutPath(err))
		return set
	}
	defer file.Close()
	return lint.Read(filepath.ToSlash(s.name), file)
}

// withoutPath leaves out the name, which is told beside the error.
func withoutPath(err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return failed.Err
	}
	return err
}

// find lists the inputs behind the paths, each once.
func find(paths []string) []source {
	var out []source
	seen := map[string]bool{}
	add := func(name string, err error) {
		if !seen[name] {
			seen[name] = true
			out = append(out, source{name, err})
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
		case entry.Type().IsRegular() && isManifest(path):
			add(path, nil)
		}
		return nil
	})
}

func isManifest(path string) bool {
	switch filepath.Ext(path) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}
