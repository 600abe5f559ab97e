package replay

import (
	"bytes"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestProgress: nothing is said for two seconds, then how far the run is, and
// nothing once it is over.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		var done atomic.Int64
		stop := watch(&out, &done, 200)
		time.Sleep(patience - time.Millisecond)
		synctest.Wait()
		if out.Len() > 0 {
			t.Errorf("too early: %s", out.String())
		}
		done.Store(50)
		time.Sleep(time.Second)
		stop()
		time.Sleep(time.Minute)
		if got := out.String(); got != "replaying: 25% of 200 decisions\n" {
			t.Errorf("got %q", got)
		}
	})
}
