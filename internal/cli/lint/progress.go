package lint

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark/tidemark/internal/replay/progress"
)

// patience is how long a run may take before it says how far it is, and how
// often it then does.
const patience = 2 * time.Second

// watch reports progress to a terminal until it is stopped.
func watch(to io.Writer, done *atomic.Int64, total int) (stop func()) {
	if !progress.IsTerminal(to) {
		return func() {}
	}
	return report(to, done, total)
}

func report(to io.Writer, done *atomic.Int64, total int) (stop func()) {
	ended := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		tick := time.NewTicker(patience)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
				fmt.Fprintf(to, "linting: %d of %d files\n", done.Load(), total)
			}
		}
	})
	return func() {
		close(ended)
		writer.Wait()
	}
}
