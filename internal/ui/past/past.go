package past

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/tidemark/tidemark/internal/observe/prometheus"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// The pieces that are asked for, how far back anyone looks, and of how many workloads
// they are kept.
const (
	step   = time.Minute
	length = 48 * time.Hour
	most   = 35 * 24 * time.Hour
	// mostKept workloads of four weeks are some 30 MiB.
	mostKept = 6
	// breath is how long a server that gave no answer is left alone.
	breath = 5 * time.Second
)

// Reader asks for series over a time.
type Reader interface {
	During(ctx context.Context, query string, from, to time.Time, step time.Duration) ([]prometheus.Line, error)
}

// Past is what is known of workloads.
type Past struct {
	reader Reader
	now    func() time.Time

	mu sync.Mutex
	// kept are the workloads, that which was asked for last at the end.
	kept []*workload
}

// New returns the past that a server knows.
func New(r Reader) *Past { return &Past{reader: r, now: time.Now} }

// workload is what is kept of one.
type workload struct {
	key feed.Key
	// asking has what is held by who asks, so that the same is not asked for twice.
	asking chan struct{}
	pieces map[int64]piece
	// failed is why the last question had no answer, until when nobody asks again.
	failed error
	retry  time.Time
}

// piece is a part of the past, and until when it was known.
type piece struct {
	history *feed.History
	until   time.Time
}

// Before is what is known of a workload from a moment until another.
func (p *Past) Before(ctx context.Context, k feed.Key, from, until time.Time) (*feed.History, error) {
	if earliest := p.now().Add(-most); from.Before(earliest) {
		from = earliest
	}
	w := p.of(k)
	select {
	case w.asking <- struct{}{}:
		defer func() { <-w.asking }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if p.now().Before(w.retry) {
		return nil, w.failed
	}
	out := &feed.History{}
	for number := from.UnixNano() / int64(length); number*int64(length) < until.UnixNano(); number++ {
		start := time.Unix(0, number*int64(length)).UTC()
		end := earlier(start.Add(length), until)
		known, there := w.pieces[number]
		if !there || known.until.Before(end) {
			var err error
			if known, err = p.ask(ctx, k, start); err != nil {
				// Who went away is no failure of the server's.
				if !errors.Is(ctx.Err(), context.Canceled) {
					w.failed, w.retry = err, p.now().Add(breath)
				}
				return nil, err
			}
			w.pieces[number] = known
		}
		out = feed.Join(out, known.history)
	}
	return out, nil
}

// of finds a workload, and forgets the one that nobody has asked for the longest.
func (p *Past) of(k feed.Key) *workload {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.kept, func(w *workload) bool { return w.key == k })
	if i < 0 {
		p.kept, i = append(p.kept, &workload{key: k, asking: make(chan struct{}, 1), pieces: map[int64]piece{}}), len(p.kept)
	}
	w := p.kept[i]
	p.kept = append(slices.Delete(p.kept, i, i+1), w)
	p.kept = p.kept[max(0, len(p.kept)-mostKept):]
	return w
}

// ask asks for a piece, as far as it has passed.
func (p *Past) ask(ctx context.Context, k feed.Key, start time.Time) (piece, error) {
	now := p.now()
	end := earlier(start.Add(length), now.Truncate(step))
	query := fmt.Sprintf(`{__name__=~"%s",namespace=%q,name=%q}`, names, k.Namespace, k.Name)
	lines, err := p.reader.During(ctx, query, start, end.Add(-step), step)
	if err != nil {
		return piece{}, err
	}
	return piece{historyOf(lines, start, int(end.Sub(start)/step)), now}, nil
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
