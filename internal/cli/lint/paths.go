package lint

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/paths"
	"github.com/tidemark/tidemark/internal/lint"
)

// readPaths reads everything that the paths name. Files are read side by side,
// each without holding more than one of its documents, and put together in
// their order.
func readPaths(cmd *cobra.Command, named []string) *lint.Set {
	sources := paths.Find(named)
	sets := make([]*lint.Set, len(sources))
	var next, done atomic.Int64
	stop := watch(cmd.ErrOrStderr(), &done, len(sources))
	defer stop()
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(sources)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(sources)); i = next.Add(1) - 1 {
				sets[i] = read(cmd, sources[i])
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

func read(cmd *cobra.Command, s paths.Source) *lint.Set {
	if s.Err == nil && s.Name == "-" {
		return lint.Read(s.Name, cmd.InOrStdin())
	}
	file, err := os.Open(s.Name)
	if s.Err != nil {
		err = s.Err
	}
	if err != nil {
		set := &lint.Set{}
		set.Refuse(filepath.ToSlash(s.Name), paths.WithoutPath(err))
		return set
	}
	defer file.Close()
	return lint.Read(filepath.ToSlash(s.Name), file)
}
