package snapshot

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// Key names a question.
type Key struct {
	// Source is one of a few words, such as metrics.k8s.io.
	Source string
	// Query is anything that tells one query of the source from another.
	Query string
}

// Query is what is asked, and how.
type Query[T any] struct {
	Key
	// MaxAge is how old the answer may be.
	MaxAge time.Duration
	// Fetch asks the source. Its context outlives the caller's, because others
	// may wait for the same answer.
	Fetch func(context.Context) (T, error)
}

// Config says how a store works. Only the clock is required.
type Config struct {
	Clock clock.PassiveClock
	// OnFetch, when set, is told of every request that was made.
	OnFetch func(Fetched)
	// Timeout bounds one request. The default is 10 s.
	Timeout time.Duration
	// MaxEntries bounds the questions that are remembered. The default is
	// 20,000; beyond it the one that was not asked for longest is forgotten.
	MaxEntries int
}

// Fetched tells of one request to a source.
type Fetched struct {
	Source string
	Took   time.Duration
	Err    error
}

// Defaults of Config, and how failures are spaced.
const (
	DefaultTimeout    = 10 * time.Second
	DefaultMaxEntries = 20_000
	// longestWait is the longest time until a source that failed is asked again:
	// an hour-long outage should not cost another hour. longestAges is the same
	// for one question, in maximal ages. With half periods these are two
	// periods: once a metric is back, the workload should not wait for longer.
	longestWait = 2 * time.Minute
	longestAges = 4
	// LongestPause is longestWait with all of its jitter.
	LongestPause = longestWait + longestWait/4
	// idleAges is after how many maximal ages without anyone asking an answer
	// is dropped. With half periods these are four periods.
	idleAges = 8
	// sweepEvery is how often idle answers are looked for.
	sweepEvery = time.Minute
)

// Store keeps the answers. It may be used by many goroutines.
type Store struct {
	config Config
	// jitter lengthens a wait by up to a quarter.
	jitter func(time.Duration) time.Duration

	mu      sync.Mutex
	entries map[Key]*entry
	sources map[string]*breaker
	swept   time.Time
}

// entry is a question and its latest answer.
type entry struct {
	answer   *answer
	failures int
	used     time.Time
	maxAge   time.Duration
}

// answer is written once, before done is closed.
type answer struct {
	done  chan struct{}
	over  bool
	value any
	err   error
	// at is when the request began, and retryAt when a failed one may be
	// repeated.
	at, retryAt time.Time
}

// New returns an empty store.
func New(c Config) *Store {
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.MaxEntries <= 0 {
		c.MaxEntries = DefaultMaxEntries
	}
	return &Store{
		config: c, entries: map[Key]*entry{}, sources: map[string]*breaker{},
		jitter: func(d time.Duration) time.Duration { return d + rand.N(d/4+1) },
	}
}

// Get returns the answer to a question, asking its source if need be. The
// answer is shared: it must not be changed.
func Get[T any](ctx context.Context, s *Store, q Query[T]) (T, error) {
	a, first := s.enter(q.Key, q.MaxAge)
	if first {
		go s.fill(context.WithoutCancel(ctx), q.Key, a, func(ctx context.Context) (any, error) { return q.Fetch(ctx) })
	}
	var none T
	select {
	case <-a.done:
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
	if a.err != nil {
		return none, a.err
	}
	value, ok := a.value.(T)
	if !ok {
		return none, errOtherType(q.Key)
	}
	return value, nil
}

// Tell counts a request that a source made on its own, because its answer is
// not one to be shared.
func (s *Store) Tell(f Fetched) {
	if s.config.OnFetch != nil {
		s.config.OnFetch(f)
	}
}

// Len is how many questions are remembered.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.entries)
}

// enter returns the answer to wait for. The second result tells the caller to
// fetch it.
func (s *Store) enter(key Key, maxAge time.Duration) (*answer, bool) {
	now := s.config.Clock.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[key]
	if e == nil {
		s.makeRoom(now)
		e = &entry{}
		s.entries[key] = e
	}
	e.used, e.maxAge = now, maxAge
	if a := e.answer; a != nil && a.serves(now, maxAge) {
		return a, false
	}
	e.answer = &answer{done: make(chan struct{}), at: now}
	if err := s.source(key.Source).refuses(now); err != nil {
		e.answer.close(nil, err)
		e.answer.retryAt = now
		return e.answer, false
	}
	return e.answer, true
}

func (a *answer) serves(now time.Time, maxAge time.Duration) bool {
	switch {
	case !a.over:
		return true
	case a.err != nil:
		return now.Before(a.retryAt)
	}
	// A clock that was set back makes an answer from the future: ask again.
	age := now.Sub(a.at)
	return age >= 0 && age < maxAge
}

func (a *answer) close(value any, err error) {
	a.value, a.err, a.over = value, err, true
	close(a.done)
}

// fill asks the source and wakes everyone who waits.
func (s *Store) fill(ctx context.Context, key Key, a *answer, fetch func(context.Context) (any, error)) {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	value, err := fetch(ctx)
	now := s.config.Clock.Now()
	s.Tell(Fetched{Source: key.Source, Took: now.Sub(a.at), Err: err})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.source(key.Source).note(now, err, s.jitter)
	if e := s.entries[key]; e != nil && e.answer == a {
		e.failures++
		if err == nil {
			e.failures = 0
		}
		a.retryAt = now.Add(s.jitter(wait(e.maxAge, min(longestWait, longestAges*e.maxAge), e.failures)))
	}
	a.close(value, err)
}

// wait is how long what failed so often is left alone: twice as long each time,
// up to the longest.
func wait(first, longest time.Duration, failures int) time.Duration {
	d := min(first, longest)
	for range min(failures, 16) - 1 {
		d = min(2*d, longest)
	}
	return d
}

// makeRoom drops answers that nobody asks for any more, and if that is not
// enough the one that was not asked for longest. Requests that are under way
// go on; whoever waits for them holds their answer.
func (s *Store) makeRoom(now time.Time) {
	full := len(s.entries) >= s.config.MaxEntries
	if !full && now.Sub(s.swept) < sweepEvery && !now.Before(s.swept) {
		return
	}
	s.swept = now
	var oldest Key
	var oldestUse time.Time
	for key, e := range s.entries {
		if now.Sub(e.used) > idleAges*e.maxAge {
			delete(s.entries, key)
			continue
		}
		if oldestUse.IsZero() || e.used.Before(oldestUse) {
			oldest, oldestUse = key, e.used
		}
	}
	if len(s.entries) >= s.config.MaxEntries {
		delete(s.entries, oldest)
	}
}
