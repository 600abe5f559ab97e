package town

import (
	"context"
	"sync"
	"time"

	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/replayed"
)

// The speeds of the clock.
const (
	// UsualSpeed lets a minute pass each second.
	UsualSpeed = 60
	// MostSpeed lets an hour pass each second.
	MostSpeed = 3600
	tick      = 250 * time.Millisecond
)

// Town is the feed of the demo.
type Town struct {
	replayed.Runs
	end time.Time

	mu    sync.Mutex
	now   time.Time
	speed int
}

// New builds the town, with prices that are about as much as one pays.
func New() (*Town, error) { return Priced(priceCPU, priceMemory) }

// Prices are those that New takes, in billionths.
func Prices() (cpu, memory int64) { return priceCPU, priceMemory }

// Priced builds the town with what an hour of a core and of a GiB costs, in billionths.
func Priced(cpu, memory int64) (*Town, error) {
	t := &Town{now: begin, end: begin.Add(length), speed: UsualSpeed}
	for _, h := range houses {
		run, err := h.build(cpu, memory)
		if err != nil {
			return nil, err
		}
		if err := t.Add(run); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Live lets the clock go until the context ends. The past comes first, as fast as
// it can be computed and a day at a time, so that something is seen at once. At
// the end of its last week the town stands still.
func (t *Town) Live(ctx context.Context) {
	defer t.Stop()
	for at := begin; at.Before(begin.Add(past)) && ctx.Err() == nil; {
		at = at.Add(min(day, begin.Add(past).Sub(at)))
		t.set(at)
		t.Advance(at)
	}
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			t.Advance(t.pass(tick))
		}
	}
}

func (t *Town) set(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now = now
}

// pass moves the clock on.
func (t *Town) pass(real time.Duration) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	if next := t.now.Add(time.Duration(t.speed) * real); next.Before(t.end) {
		t.now = next
	}
	return t.now
}

// SetSpeed says how many seconds pass in one.
func (t *Town) SetSpeed(speed int) {
	t.mu.Lock()
	t.speed = min(max(speed, 0), MostSpeed)
	t.mu.Unlock()
	t.Tell()
}

// About says what it is.
func (t *Town) About() feed.About {
	t.mu.Lock()
	defer t.mu.Unlock()
	speed := t.speed
	return feed.About{Source: "demo", Title: "A town of workloads in virtual time", Now: t.now.UnixMilli(), Speed: &speed}
}

var (
	_ feed.Feed  = (*Town)(nil)
	_ feed.Paced = (*Town)(nil)
)
