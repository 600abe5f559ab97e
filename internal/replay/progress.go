package replay

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long a run may take before it says how far it is, and how
// often it then does.
const patience = 2 * time.Second

// watch reports progress until it is stopped.
func watch(to io.Writer, done *atomic.Int64, total int64) (stop func()) {
	if to == nil {
		return func() {}
	}
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
				fmt.Fprintf(to, "replaying: %d%% of %d decisions\n", min(100*done.Load()/total, 100), total)
			}
		}
	})
	return func() {
		close(ended)
		writer.Wait()
	}
}
