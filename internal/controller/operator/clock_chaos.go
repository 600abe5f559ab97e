//go:build chaos

package operator

import (
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tidemark/tidemark/internal/checks/wrongclock"
)

// WrongBy is the environment variable that names a file with the duration by
// which the clock is wrong. Without it, and without the file, the clock is right.
const WrongBy = "TIDEMARK_CHAOS_CLOCK"

func init() {
	if path := os.Getenv(WrongBy); path != "" {
		wallClock = newWrongClock(path)
	}
}

// wrongClock is the clock of a machine that somebody sets.
type wrongClock struct{ by atomic.Int64 }

func newWrongClock(path string) *wrongClock {
	c := &wrongClock{}
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			c.set(path)
		}
	}()
	c.set(path)
	return c
}

func (c *wrongClock) set(path string) {
	text, _ := os.ReadFile(path) //nolint:gosec // G703: the campaign names it. One that is not there is a clock that is right.
	by, _ := time.ParseDuration(strings.TrimSpace(string(text)))
	c.by.Store(int64(by))
}

// Now is what the clock shows.
func (c *wrongClock) Now() time.Time {
	now := time.Now()
	return wrongclock.Moment(now.Add(time.Duration(c.by.Load())), now)
}

// Since is how long ago a moment was, by this clock.
func (c *wrongClock) Since(at time.Time) time.Duration { return c.Now().Sub(at) }
