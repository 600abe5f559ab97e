package snapshot

import (
	"context"
	"time"

	"github.com/tidemark/tidemark/internal/fair"
)

// ask has the source asked, when it is the question's turn. The lock is held.
func (s *Store) ask(ctx context.Context, key Key, e *entry, fetch func(context.Context) (any, error)) {
	pool := s.pools[key.Source]
	if pool == nil {
		pool = &fair.Pool{AtOnce: AtOnce, PerTenant: PerTenant}
		s.pools[key.Source] = pool
	}
	// What a request asks for in its turn, it waits for.
	ctx = context.WithValue(context.WithoutCancel(ctx), lookKey{}, (*Look)(nil))
	a := e.answer
	pool.Go(fair.Task{Tenant: key.Tenant, Doubtful: isOutage(e.failure), Run: func() { s.fill(ctx, key, a, fetch) }})
}

// fill asks the source and wakes everyone who waits.
func (s *Store) fill(ctx context.Context, key Key, a *answer, fetch func(context.Context) (any, error)) {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	began := s.Now()
	s.mu.Lock()
	a.at = began
	s.mu.Unlock()
	value, err := safely(ctx, fetch)
	now := s.Now()
	s.Tell(Fetched{Source: key.Source, Took: now.Sub(began), Err: err})
	for _, look := range s.take(key, a, value, err) {
		look.come(a)
	}
}

// safely asks, and makes an error of a panic: what one source answers must not
// end the process.
func safely(ctx context.Context, fetch func(context.Context) (any, error)) (value any, err error) {
	defer Caught(&err)
	return fetch(ctx)
}

// take takes an answer over, and returns the looks that wait for it.
func (s *Store) take(key Key, a *answer, value any, err error) []*Look {
	now := s.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[key]; e != nil && e.answer == a {
		if err == nil {
			e.failures, e.failure, e.good = 0, nil, a
		} else {
			e.failures, e.failure = e.failures+1, err
			a.retryAt = now.Add(s.jitter(waitAfter(e.failures, e.maxAge)))
		}
	}
	a.value, a.err, a.over = value, err, true
	close(a.done)
	looks := a.looks
	a.looks = nil
	return looks
}

// waitAfter is how long a question is left alone that failed so often.
func waitAfter(failures int, maxAge time.Duration) time.Duration {
	wait := min(maxAge, longestWait)
	if failures > 1 {
		wait += wait / 2
	}
	return wait
}
