package progress

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

// TestBar: nothing is said for two seconds, then how far the work is, seldom,
// and nothing once it is over.
func TestBar(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		b := Start(&out, "workloads", 200)
		time.Sleep(Patience - time.Millisecond)
		synctest.Wait()
		if out.Len() > 0 {
			t.Errorf("too early: %s", out.String())
		}
		b.Add(50)
		time.Sleep(seldom)
		b.Stop()
		time.Sleep(time.Minute)
		if want := "[######------------------]  25% of 200 workloads, 6s left\n"; out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	})
}

// TestTerminal: one line is redrawn, and removed at the end.
func TestTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		b := Start(&out, "trials", 4)
		b.terminal = true
		b.Set(4)
		time.Sleep(Patience + often + time.Millisecond)
		b.Stop()
		line := "\r\x1b[K[########################] 100% of 4 trials"
		if want := line + line + "\r\x1b[K"; out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	})
}

// TestShare: what has no units is counted in none.
func TestShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		b := StartShare(&out, "the recording")
		b.Set(Whole / 2)
		time.Sleep(Patience + time.Millisecond)
		b.Stop()
		if want := "[############------------]  50% of the recording, 2s left\n"; out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	})
}

func TestSilentBars(t *testing.T) {
	var none *Bar
	none.Add(1)
	none.Set(1)
	none.Stop()
	if Start(nil, "x", 5) != nil || Start(&bytes.Buffer{}, "x", 0) != nil {
		t.Error("there is nothing to watch, or nobody to tell")
	}
}
