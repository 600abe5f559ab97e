package scaler

import (
	"context"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/tidemark/tidemark/internal/observe/scaler/protocol"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

// Bounds of what scalers tell by themselves.
const (
	// maxStreams is how many may tell at once, maxStreamsPerTenant how many of one
	// namespace. Whoever has more is asked at each look, like those without push.
	maxStreams          = 2000
	maxStreamsPerTenant = 100
	// keptFor is how long nobody need ask for a stream to end, or two periods: that of
	// an object that was deleted, or changed.
	keptFor = 2 * time.Minute
	// longestCalm bounds how long a stream is not listened to after a change.
	longestCalm = time.Minute
	// A stream that ended is opened again after soon, then later and later. One that
	// the scaler does not have is tried again after a long time.
	soon, later, rarely = 2 * time.Second, time.Minute, 10 * time.Minute
)

// streams are what scalers tell by themselves. The zero value is ready for use.
type streams struct {
	mu        sync.Mutex
	open      map[snapshot.Key]*time.Timer
	perTenant map[string]int
}

// listener is an object whose scaler tells by itself.
type listener struct {
	Question
	entry string
	key   snapshot.Key
	// period is how often the object is looked at.
	period time.Duration
}

// calm is the least time between two changes that are listened to: a scaler that
// cannot make up its mind must not have an object decide much more often than its
// period, because a velocity holds for one decision. Work that begins must not wait for
// a long one, though.
func (l *listener) calm() time.Duration { return min(l.period, longestCalm) }

// listen has the scaler tell when work begins, for as long as it is asked for. It
// does not wait.
func (c *Client) listen(l listener) {
	key, kept := l.key, max(keptFor, 2*l.period)
	c.streams.mu.Lock()
	defer c.streams.mu.Unlock()
	if until := c.streams.open[key]; until != nil {
		until.Reset(kept)
		return
	}
	if len(c.streams.open) >= maxStreams || c.streams.perTenant[key.Tenant] >= maxStreamsPerTenant {
		return
	}
	if c.streams.open == nil {
		c.streams.open, c.streams.perTenant = map[snapshot.Key]*time.Timer{}, map[string]int{}
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.streams.open[key] = time.AfterFunc(kept, cancel)
	c.streams.perTenant[key.Tenant]++
	go func() {
		defer cancel()
		defer c.streams.end(key)
		c.follow(ctx, l)
	}()
}

func (s *streams) end(key snapshot.Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[key].Stop()
	delete(s.open, key)
	if s.perTenant[key.Tenant]--; s.perTenant[key.Tenant] == 0 {
		delete(s.perTenant, key.Tenant)
	}
}

// follow listens until the context ends, or the administrator allows it no longer.
func (c *Client) follow(ctx context.Context, l listener) {
	for wait := soon; ; wait = min(2*wait, later) {
		if _, err := c.check(l.Scaler.Address); err != nil {
			return
		}
		heard, err := c.hear(ctx, l)
		switch {
		case status.Code(err) == codes.Unimplemented:
			wait = rarely
		case heard:
			wait = soon
		}
		if !pause(ctx, wait) {
			return
		}
	}
}

// hear listens to one stream until it ends, and tells whether anything was said.
// What it says is not believed: the next look asks, and is made at once.
func (c *Client) hear(ctx context.Context, l listener) (heard bool, err error) {
	defer snapshot.Caught(&err)
	conn, err := c.connections.toStreams(l.entry, l.Scaler.TLS)
	if err != nil {
		return false, err
	}
	stream, err := protocol.NewExternalScalerClient(conn).StreamIsActive(ctx, l.ref())
	if err != nil {
		return false, err
	}
	for was := false; ; {
		said, err := stream.Recv()
		if err != nil {
			return heard, err
		}
		began := said.GetResult() && !was
		was, heard = said.GetResult(), true
		if !began {
			continue
		}
		c.Answers.Expire(l.key)
		if c.Wake != nil {
			c.Wake(l.Namespace, l.Name)
		}
		if !pause(ctx, l.calm()) {
			return heard, ctx.Err()
		}
	}
}

// pause waits, and tells whether the context goes on.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
