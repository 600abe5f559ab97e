package lint

import (
	"bytes"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark/tidemark/internal/replay/progress"
)

// TestProgress: nothing is said for two seconds, then how far the run is, and
// nothing once it is over.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		var done atomic.Int64
		stop := report(&out, &done, 200)
		time.Sleep(patience - time.Millisecond)
		synctest.Wait()
		if out.Len() > 0 {
			t.Errorf("too early: %s", out.String())
		}
		done.Store(50)
		time.Sleep(time.Second)
		stop()
		time.Sleep(time.Minute)
		if got := out.String(); got != "linting: 50 of 200 files\n" {
			t.Errorf("got %q", got)
		}
	})
}

// TestOnlyTerminalsSeeProgress: a pipe gets the answer and nothing else.
func TestOnlyTerminalsSeeProgress(t *testing.T) {
	if progress.IsTerminal(&bytes.Buffer{}) {
		t.Error("a buffer is not a terminal")
	}
}
