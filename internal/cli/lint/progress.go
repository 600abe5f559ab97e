package lint

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long a run may take before it says how far it is, and how
// often it then does.
const patience = 2 * time.Second

// watch reports progress to a terminal until it is stopped.
func watch(to io.Writer, done *atomic.Int64, total int) (stop func()) {
	if !isTerminal(to) {
		return func() {}
	}
	return report(to, done, total)
}

func isTerminal(to io.Writer) bool {
	file, ok := to.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
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
