package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Patience is how long work may take before a bar appears. On a terminal the bar
// is drawn often from then on, elsewhere seldom.
const (
	Patience = 2 * time.Second
	often    = 200 * time.Millisecond
	seldom   = 10 * time.Second
)

// Bar is the progress of one piece of work. A nil Bar is silent.
type Bar struct {
	to       io.Writer
	what     string
	total    int64
	done     atomic.Int64
	started  time.Time
	terminal bool
	drawn    bool
	ended    chan struct{}
	writer   sync.WaitGroup
}

// Start begins to watch work of so many units: "workloads" of "1000". A nil
// writer, or work without units, is watched in silence.
func Start(to io.Writer, what string, total int64) *Bar {
	return start(to, fmt.Sprintf("of %d %s", total, what), total)
}

func start(to io.Writer, what string, total int64) *Bar {
	if to == nil || total <= 0 {
		return nil
	}
	b := &Bar{to: to, what: what, total: total, started: time.Now(), terminal: IsTerminal(to), ended: make(chan struct{})}
	b.writer.Go(b.run)
	return b
}

// Whole is all of a work that is watched as a share.
const Whole = 100

// StartShare begins to watch work without units: "39% of the recording".
func StartShare(to io.Writer, what string) *Bar {
	return start(to, "of "+what, Whole)
}

// IsTerminal tells whether a person watches what is written.
func IsTerminal(to io.Writer) bool {
	file, ok := to.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Add says that so many units more are done.
func (b *Bar) Add(n int64) {
	if b != nil {
		b.done.Add(n)
	}
}

// Set says that so many units are done in all.
func (b *Bar) Set(n int64) {
	if b != nil {
		b.done.Store(n)
	}
}

// Stop ends the bar and removes it from a terminal.
func (b *Bar) Stop() {
	if b == nil {
		return
	}
	close(b.ended)
	b.writer.Wait()
	if b.drawn && b.terminal {
		fmt.Fprint(b.to, "\r\x1b[K")
	}
}

func (b *Bar) run() {
	pause := time.NewTimer(Patience)
	defer pause.Stop()
	for {
		select {
		case <-b.ended:
			return
		case <-pause.C:
			b.draw()
			if b.terminal {
				pause.Reset(often)
			} else {
				pause.Reset(seldom)
			}
		}
	}
}

func (b *Bar) draw() {
	b.drawn = true
	line := b.line(time.Since(b.started))
	if b.terminal {
		fmt.Fprintf(b.to, "\r\x1b[K%s", line)
		return
	}
	fmt.Fprintln(b.to, line)
}

// line is the bar after a time.
func (b *Bar) line(after time.Duration) string {
	const width = 24
	done := min(b.done.Load(), b.total)
	full := int(done * width / b.total)
	out := fmt.Sprintf("[%s%s] %3d%% %s", strings.Repeat("#", full), strings.Repeat("-", width-full), 100*done/b.total, b.what)
	if done > 0 && done < b.total {
		left := time.Duration(after.Seconds() / float64(done) * float64(b.total-done) * float64(time.Second))
		out += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	return out
}
