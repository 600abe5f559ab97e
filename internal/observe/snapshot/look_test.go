package snapshot

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/clock"
)

const period = 15 * time.Second

// slow is a source whose answers take their time. It counts them.
type slow struct {
	store *Store
	takes atomic.Int64
	asked atomic.Int32
}

func newSlow(takes time.Duration) *slow {
	s := &slow{store: New(Config{Clock: clock.RealClock{}})}
	s.takes.Store(int64(takes))
	return s
}

func (s *slow) question() Query[int] {
	return Query[int]{
		Key: Key{Source: "test", Tenant: "shop", Query: "a"}, MaxAge: period / 2, Valid: ValidFor(period / 2),
		Fetch: func(ctx context.Context) (int, error) {
			n := s.asked.Add(1)
			select {
			case <-time.After(time.Duration(s.takes.Load())):
				return int(n), nil
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		},
	}
}

// seen is what a look came to.
type seen struct {
	value  int
	err    error
	took   time.Duration
	passes int
	aged   []string
}

// look looks once, as a controller does, which comes back when it is woken or
// when the time is over.
func (s *slow) look(t *testing.T) seen {
	t.Helper()
	woken := make(chan struct{}, 1)
	l := &Look{Began: time.Now(), Period: period, Wake: func() { woken <- struct{}{} }}
	var out seen
	for {
		out.passes++
		began := time.Now()
		out.value, out.err = Get(During(t.Context(), l), s.store, s.question())
		if waited := time.Since(began); waited > 0 {
			t.Fatalf("a pass waited for %s", waited)
		}
		under, is := errors.AsType[*UnderWay](l.Park(time.Now()))
		if !is {
			break
		}
		if under.Wait > 0 {
			select {
			case <-woken:
			case <-time.After(under.Wait):
			}
		}
	}
	out.took, out.aged = time.Since(l.Began), l.Aged()
	return out
}

// TestALookIsWokenByItsAnswer: it never waits, and decides on what it asked for.
func TestALookIsWokenByItsAnswer(t *testing.T) {
	for name, takes := range map[string]time.Duration{"at once": 0, "soon": 20 * time.Millisecond, "just in time": longestPatience - time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSlow(takes)
				got := s.look(t)
				if got.value != 1 || got.err != nil || got.took != takes || len(got.aged) != 0 {
					t.Errorf("got %+v, want the answer after %s", got, takes)
				}
				if again := s.look(t); again.value != 1 || again.passes != 1 {
					t.Errorf("the next look got %+v, want the same answer at once", again)
				}
			})
		})
	}
}

// TestALookGoesOnWithoutAnAnswer: with a gap at first, and later with the last
// answer while that is no older than two periods, and says so.
func TestALookGoesOnWithoutAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(5 * time.Second)
		got := s.look(t)
		if got.err == nil || !strings.Contains(got.err.Error(), "test has not answered for 2s") || got.took != longestPatience {
			t.Errorf("the first look got %+v, want a gap after %s", got, longestPatience)
		}
		time.Sleep(period - got.took)
		got = s.look(t)
		if got.value != 1 || got.err != nil || got.took != longestPatience || len(got.aged) != 1 ||
			got.aged[0] != "test has not answered for 2s: its answer of 17s ago is used" {
			t.Errorf("the second look got %+v, want the last answer and its age", got)
		}
		if s.asked.Load() != 2 {
			t.Errorf("asked %d times, want once for each look", s.asked.Load())
		}
		time.Sleep(3 * period)
		if got = s.look(t); got.err == nil {
			t.Errorf("after three periods got %+v, want a gap: the last answer is too old", got)
		}
		time.Sleep(period) // let the request end
	})
}

// TestALookHasLittlePatienceAfterAnOutage: it gets what failed last, and sees the
// source as soon as it is back.
func TestALookHasLittlePatienceAfterAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(time.Hour)
		s.look(t)
		time.Sleep(2 * period)
		got := s.look(t)
		if !errors.Is(got.err, context.DeadlineExceeded) || got.took != shortPatience {
			t.Errorf("during the outage: got %+v, want the failure after %s", got, shortPatience)
		}
		s.takes.Store(int64(time.Millisecond))
		for range 2 {
			time.Sleep(period - got.took)
			got = s.look(t)
		}
		if got.err != nil || got.took > time.Millisecond {
			t.Errorf("two periods after the source is back: got %+v", got)
		}
	})
}

// TestALookWaitsForTheSlowestItHasPatienceFor: a question that failed last time
// does not make it wait for as long as others may take.
func TestALookWaitsForTheSlowestItHasPatienceFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := New(Config{Clock: clock.RealClock{}})
		ask := func(name string, takes time.Duration) Query[int] {
			return Query[int]{Key: Key{Source: "test", Query: name}, MaxAge: period / 2, Fetch: func(ctx context.Context) (int, error) {
				select {
				case <-time.After(takes):
					return 1, nil
				case <-ctx.Done():
					return 0, ctx.Err()
				}
			}}
		}
		_, _ = Get(t.Context(), store, ask("hangs", time.Hour))
		time.Sleep(2 * period)
		woken := make(chan struct{}, 1)
		l := &Look{Began: time.Now(), Period: period, Wake: func() { woken <- struct{}{} }}
		pass := func() error {
			ctx := During(t.Context(), l)
			_, _ = Get(ctx, store, ask("hangs", time.Hour))
			_, _ = Get(ctx, store, ask("slow", time.Second))
			return l.Park(time.Now())
		}
		for {
			under, is := errors.AsType[*UnderWay](pass())
			if !is {
				break
			}
			select {
			case <-woken:
			case <-time.After(under.Wait):
			}
		}
		if took := time.Since(l.Began); took != time.Second {
			t.Errorf("the look took %s, want the second of the slow question", took)
		}
		time.Sleep(period) // let the other request end
	})
}

// TestAFullNamespaceSaysSo: of one that asks too much at once the rest waits, and
// is told why. Another is asked at once.
func TestAFullNamespaceSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := New(Config{Clock: clock.RealClock{}})
		ask := func(tenant, name string, takes time.Duration) (int, error) {
			l := &Look{Began: time.Now().Add(-longestPatience), Period: period}
			return Get(During(t.Context(), l), store, Query[int]{Key: Key{Source: "test", Tenant: tenant, Query: name}, MaxAge: period / 2,
				Fetch: func(ctx context.Context) (int, error) {
					select {
					case <-time.After(takes):
						return 1, nil
					case <-ctx.Done():
						return 0, ctx.Err()
					}
				}})
		}
		for i := range 50 {
			_, _ = ask("bank", string(rune('a'+i)), time.Hour)
		}
		synctest.Wait()
		_, err := ask("bank", "z", time.Hour)
		if err == nil || !strings.Contains(err.Error(), "at most 4 questions are asked at once") {
			t.Errorf("the full namespace gets %v", err)
		}
		_, _ = ask("shop", "a", 0)
		synctest.Wait()
		if got, err := ask("shop", "a", 0); got != 1 || err != nil {
			t.Errorf("the other namespace gets %d, %v", got, err)
		}
		time.Sleep(20 * time.Minute) // let every request end
	})
}

// TestALookTakesNoAnswerThatExpired: also not the one it was waiting for, which was
// asked before what it was woken for.
func TestALookTakesNoAnswerThatExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const takes = 500 * time.Millisecond
		s := newSlow(takes)
		time.AfterFunc(takes/2, func() { s.store.Expire(s.question().Key) })
		if got := s.look(t); got.value != 2 || got.err != nil || got.took != 2*takes {
			t.Errorf("got %+v, want the second answer after %s", got, 2*takes)
		}
	})
}
