package snapshot

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"github.com/tidemark/tidemark/internal/fair"
)

// Key names a question.
type Key struct {
	// Source is one of a few words, such as metrics.k8s.io.
	Source string
	// Tenant is the namespace whose question it is; empty where the answer is about
	// the cluster, such as a node.
	Tenant string
	// Query is anything that tells one query of the source from another.
	Query string
}

// Query is what is asked, and how.
type Query[T any] struct {
	Key
	// MaxAge is how old the answer may be.
	MaxAge time.Duration
	// Valid is how old an answer may be that stands in for one that is under way;
	// zero uses none.
	Valid time.Duration
	// Fetch asks the source. Its context outlives the caller's, because others
	// may wait for the same answer.
	Fetch func(context.Context) (T, error)
}

// ValidFor is for how long an answer of a metric stands in for one that is under
// way: for four maximal ages, which with half periods are two periods, and at
// least for so long that a source which takes all the time it has is of use to
// those who ask more often.
func ValidFor(maxAge time.Duration) time.Duration { return max(4*maxAge, 3*DefaultTimeout) }

// Config says how a store works. Only the clock is required.
type Config struct {
	Clock clock.PassiveClock
	// OnFetch, when set, is told of every request that was made.
	OnFetch func(Fetched)
	// Timeout bounds one request. The default is 10 s.
	Timeout time.Duration
	// MaxEntries bounds the questions that are remembered. The default is
	// 20,000; beyond it the namespace with the most forgets the one that it did not
	// ask for longest.
	MaxEntries int
}

// Fetched tells of one request to a source.
type Fetched struct {
	Source string
	Took   time.Duration
	Err    error
}

// Bounds of requests, and how failures are spaced.
const (
	DefaultTimeout    = 10 * time.Second
	DefaultMaxEntries = 20_000
	// AtOnce is how many requests are made to one source at once, PerTenant how
	// many of them for one namespace.
	AtOnce    = 32
	PerTenant = 4
	// A question that failed is asked again after its maximal age, or longestWait
	// if that is shorter, and then after half as much again. With half periods and
	// all of its jitter this is less than a period: the second look after a source
	// is back sees it. LongestPause is with all of its jitter.
	longestWait  = 30 * time.Second
	LongestPause = longestWait * 3 / 2 * 5 / 4
)

// Store keeps the answers. It may be used by many goroutines.
type Store struct {
	config Config
	// jitter lengthens a wait by up to a quarter.
	jitter func(time.Duration) time.Duration

	mu      sync.Mutex
	entries map[Key]*entry
	pools   map[string]*fair.Pool
	swept   time.Time
}

// entry is a question and its latest answer.
type entry struct {
	// answer is the latest, which may be under way, and good the last one that
	// was no failure. failure is the last failure, if nothing good came since.
	answer, good *answer
	// expired is an answer that is no longer good enough, whatever its age.
	expired  *answer
	failure  error
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
	// asked is when it was asked for, at when the request began, and retryAt when
	// a failed one may be repeated.
	asked, at, retryAt time.Time
	// looks are those that wait for it.
	looks []*Look
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
		config: c, entries: map[Key]*entry{}, pools: map[string]*fair.Pool{},
		jitter: func(d time.Duration) time.Duration { return d + rand.N(d/4+1) },
	}
}

// Get returns the answer to a question, asking its source if need be. During a
// Look it returns what is there; otherwise it waits. The answer is shared: it must
// not be changed.
func Get[T any](ctx context.Context, s *Store, q Query[T]) (T, error) {
	var none T
	a, err := s.enter(ctx, q.Key, question{q.MaxAge, q.Valid, func(ctx context.Context) (any, error) { return q.Fetch(ctx) }})
	if err != nil {
		return none, err
	}
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

// question is a Query whose type is not known.
type question struct {
	maxAge, valid time.Duration
	fetch         func(context.Context) (any, error)
}

// Now is the moment by the store's clock.
func (s *Store) Now() time.Time { return s.config.Clock.Now() }

// Tell counts a request that a source made on its own, because its answer is
// not one to be shared.
func (s *Store) Tell(f Fetched) {
	if s.config.OnFetch != nil {
		s.config.OnFetch(f)
	}
}

// Expire has a question asked again the next time that somebody wants to know,
// however young its answer is. One that is under way is too old as well, also for a look
// that waited for it; it still serves those who wait without a look.
func (s *Store) Expire(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[key]; e != nil {
		e.expired = e.answer
	}
}

// Len is how many questions are remembered.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.entries)
}

// enter returns the answer to a question: one that is over during a look,
// otherwise one to wait for. The error is that of a look for which there is none.
func (s *Store) enter(ctx context.Context, key Key, q question) (*answer, error) {
	now, look := s.Now(), lookOf(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[key]
	if e == nil {
		s.makeRoom(now)
		e = &entry{}
		s.entries[key] = e
	}
	e.used, e.maxAge = now, q.maxAge
	if a := e.answer; a == nil || a == e.expired || !a.serves(now, q.maxAge) && (look == nil || !look.waitedFor(a)) {
		e.answer = &answer{done: make(chan struct{}), asked: now}
		s.ask(ctx, key, e, q.fetch)
	}
	if look == nil || e.answer.over {
		return e.answer, nil
	}
	return s.meanwhile(look, key, e, q.valid)
}

// meanwhile is what a look gets while the answer is under way.
func (s *Store) meanwhile(look *Look, key Key, e *entry, valid time.Duration) (*answer, error) {
	now := s.Now()
	a := e.answer
	if look.waitFor(a, isOutage(e.failure), now) {
		return nil, &UnderWay{}
	}
	if e.failure != nil {
		return nil, e.failure
	}
	since := now.Sub(a.asked)
	if old := e.good; old != nil && now.Sub(old.at) < valid && !now.Before(old.at) {
		look.usesOld(key, since, now.Sub(old.at))
		return old, nil
	}
	if a.at.IsZero() {
		return nil, errNotAsked(key, s.pools[key.Source].Waiting(key.Tenant))
	}
	return nil, errNotYet(key, since)
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

// makeRoom drops answers that nobody asks for any more, and if that is not
// enough the one that was not asked for longest by the namespace with the most.
// Requests that are under way go on; whoever waits for them holds their answer.
func (s *Store) makeRoom(now time.Time) {
	full := len(s.entries) >= s.config.MaxEntries
	if !full && now.Sub(s.swept) < sweepEvery && !now.Before(s.swept) {
		return
	}
	s.swept = now
	count, most := map[string]int{}, ""
	for key, e := range s.entries {
		if now.Sub(e.used) > idleAges*e.maxAge {
			delete(s.entries, key)
			continue
		}
		if count[key.Tenant]++; count[key.Tenant] > count[most] {
			most = key.Tenant
		}
	}
	if len(s.entries) < s.config.MaxEntries {
		return
	}
	var oldest Key
	var oldestUse time.Time
	for key, e := range s.entries {
		if key.Tenant == most && (oldestUse.IsZero() || e.used.Before(oldestUse)) {
			oldest, oldestUse = key, e.used
		}
	}
	delete(s.entries, oldest)
}

const (
	// idleAges is after how many maximal ages without anyone asking an answer
	// is dropped. With half periods these are four periods.
	idleAges = 8
	// sweepEvery is how often idle answers are looked for.
	sweepEvery = time.Minute
)
