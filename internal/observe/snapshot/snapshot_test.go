package snapshot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/clock"
	clocktesting "k8s.io/utils/clock/testing"
)

var monday = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)

const halfPeriod = 15 * time.Second / 2

// source counts what it is asked and answers with the count, or fails.
type source struct {
	asked int
	err   error
}

func (s *source) question(text string) Query[int] {
	return Query[int]{Key: Key{Source: "test", Query: text}, MaxAge: halfPeriod, Fetch: func(context.Context) (int, error) {
		s.asked++
		return s.asked, s.err
	}}
}

func newStore() (*Store, *clocktesting.FakePassiveClock) {
	now := clocktesting.NewFakePassiveClock(monday)
	s := New(Config{Clock: now})
	s.jitter = func(d time.Duration) time.Duration { return d }
	return s, now
}

func TestAnAnswerIsSharedUntilItIsTooOld(t *testing.T) {
	store, now := newStore()
	src := &source{}
	for _, look := range []struct {
		at   time.Duration
		want int
	}{{0, 1}, {halfPeriod - 1, 1}, {halfPeriod, 2}, {2*halfPeriod - 1, 2}, {2 * halfPeriod, 3}} {
		t.Run(fmt.Sprintf("%+v", look), func(t *testing.T) {
			now.SetTime(monday.Add(look.at))
			got, err := Get(t.Context(), store, src.question("a"))
			if err != nil || got != look.want {
				t.Errorf("after %s: got %d, %v; want %d", look.at, got, err, look.want)
			}
		})
	}
}

// TestAnAnswerThatExpiredIsAskedForAgain once, and others are none the wiser.
func TestAnAnswerThatExpiredIsAskedForAgain(t *testing.T) {
	store, _ := newStore()
	a, b := &source{}, &source{}
	ask := func(s *source, text string, want int) {
		t.Helper()
		if got, err := Get(t.Context(), store, s.question(text)); err != nil || got != want {
			t.Errorf("%s: got %d, %v; want %d", text, got, err, want)
		}
	}
	ask(a, "a", 1)
	ask(b, "b", 1)
	store.Expire(Key{Source: "test", Query: "a"})
	store.Expire(Key{Source: "test", Query: "nobody asked"})
	for range 2 {
		ask(a, "a", 2)
		ask(b, "b", 1)
	}
}

func TestEveryoneWaitsForOneRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := New(Config{Clock: clock.RealClock{}})
		var asked atomic.Int32
		q := Query[string]{Key: Key{Source: "test", Query: "a"}, MaxAge: time.Minute, Fetch: func(context.Context) (string, error) {
			asked.Add(1)
			time.Sleep(time.Second)
			return "answer", nil
		}}
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if got, err := Get(t.Context(), store, q); got != "answer" || err != nil {
					t.Errorf("got %q, %v", got, err)
				}
			})
		}
		all.Wait()
		if asked.Load() != 1 {
			t.Errorf("the source was asked %d times, want once", asked.Load())
		}
	})
}

func TestOneWhoGivesUpDoesNotSpoilTheAnswerForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := New(Config{Clock: clock.RealClock{}})
		q := Query[string]{Key: Key{Source: "test", Query: "a"}, MaxAge: time.Minute, Fetch: func(ctx context.Context) (string, error) {
			select {
			case <-time.After(time.Second):
				return "answer", nil
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}}
		impatient, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := Get(impatient, store, q); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the caller's own deadline", err)
		}
		if got, err := Get(t.Context(), store, q); got != "answer" || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

func TestASourceThatHangsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := New(Config{Clock: clock.RealClock{}, Timeout: time.Second})
		_, err := Get(t.Context(), store, Query[int]{Key: Key{Source: "test", Query: "a"}, MaxAge: time.Minute, Fetch: func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want a deadline", err)
		}
	})
}

func TestAFailureIsAnAnswerAndIsRepeatedEverMoreRarely(t *testing.T) {
	store, now := newStore()
	src := &source{err: errors.New("no such metric")}
	var asked []time.Duration
	for at := time.Duration(0); at < 10*time.Minute; at += halfPeriod {
		now.SetTime(monday.Add(at))
		before := src.asked
		if _, err := Get(t.Context(), store, src.question("a")); err == nil {
			t.Fatalf("after %s: no error", at)
		}
		if src.asked != before {
			asked = append(asked, at/halfPeriod)
		}
	}
	// The waits are one half period, and then one and a half: each look of an
	// object, which comes every two of them, may ask.
	want := []time.Duration{0, 1}
	for at := time.Duration(3); at < 10*time.Minute/halfPeriod; at += 2 {
		want = append(want, at)
	}
	if fmt.Sprint(asked) != fmt.Sprint(want) {
		t.Errorf("asked at the half periods %d, want %d", asked, want)
	}
	src.err = nil
	now.SetTime(monday.Add(20 * time.Minute))
	if _, err := Get(t.Context(), store, src.question("a")); err != nil {
		t.Errorf("after the source is back: %v", err)
	}
}

// TestAnOutageIsItsQuestionsOwn: whatever fails for one, and however often, others
// are asked, and nobody reads another's failure.
func TestAnOutageIsItsQuestionsOwn(t *testing.T) {
	store, _ := newStore()
	broken := &source{err: Outage{errors.New("the query of namespace bank")}}
	for i := range 100 {
		if _, err := Get(t.Context(), store, broken.question(strconv.Itoa(i))); err == nil {
			t.Fatalf("question %d: no error", i)
		}
	}
	if broken.asked != 100 {
		t.Errorf("asked %d times, want all 100 questions", broken.asked)
	}
	fine := &source{}
	q := fine.question("0")
	q.Tenant = "shop"
	if _, err := Get(t.Context(), store, q); err != nil {
		t.Errorf("another namespace gets %v", err)
	}
}

// TestAPanicIsAFailure: it ends its request and nothing else.
func TestAPanicIsAFailure(t *testing.T) {
	store, _ := newStore()
	q := Query[int]{Key: Key{Source: "test", Query: "a"}, MaxAge: halfPeriod, Fetch: func(context.Context) (int, error) { panic("a broken answer") }}
	_, err := Get(t.Context(), store, q)
	if got, is := errors.AsType[*Panic](err); !is || len(got.Stack) == 0 || got.Value != "a broken answer" {
		t.Errorf("got %v, want the panic as an error", err)
	}
	if _, err := Get(t.Context(), store, (&source{}).question("b")); err != nil {
		t.Errorf("the next question gets %v", err)
	}
}

func TestAnswersNobodyAsksForAreDropped(t *testing.T) {
	store, now := newStore()
	src := &source{}
	for i := range 10 {
		_, _ = Get(t.Context(), store, src.question(strconv.Itoa(i)))
	}
	now.SetTime(monday.Add(idleAges*halfPeriod + time.Second))
	_, _ = Get(t.Context(), store, src.question("new"))
	if store.Len() != 1 {
		t.Errorf("%d answers are kept, want only the new one", store.Len())
	}
}

func TestThereAreNeverMoreAnswersThanAllowed(t *testing.T) {
	store, now := newStore()
	store.config.MaxEntries = 3
	src := &source{}
	for i := range 5 {
		now.SetTime(monday.Add(time.Duration(i)))
		_, _ = Get(t.Context(), store, src.question(strconv.Itoa(i)))
	}
	if store.Len() != 3 {
		t.Errorf("%d answers are kept, want 3", store.Len())
	}
	asked := src.asked
	_, _ = Get(t.Context(), store, src.question("4"))
	if src.asked != asked {
		t.Error("the latest answer was dropped before the oldest")
	}
}

// TestANamespaceWithManyQuestionsLosesItsOwn: others keep their answers.
func TestANamespaceWithManyQuestionsLosesItsOwn(t *testing.T) {
	store, now := newStore()
	store.config.MaxEntries = 5
	src := &source{}
	quiet := src.question("quiet")
	quiet.Tenant = "quiet"
	_, _ = Get(t.Context(), store, quiet)
	for i := range 20 {
		now.SetTime(monday.Add(time.Duration(i)))
		q := src.question(strconv.Itoa(i))
		q.Tenant = "busy"
		_, _ = Get(t.Context(), store, q)
	}
	if asked := src.asked; asked != 21 || store.Len() != 5 {
		t.Fatalf("asked %d times, %d answers are kept", asked, store.Len())
	}
	if _, _ = Get(t.Context(), store, quiet); src.asked != 21 {
		t.Error("the quiet namespace's answer was dropped")
	}
}

func TestRequestsAreCounted(t *testing.T) {
	var told []Fetched
	now := clocktesting.NewFakePassiveClock(monday)
	store := New(Config{Clock: now, OnFetch: func(f Fetched) { told = append(told, f) }})
	src := &source{}
	for range 3 {
		_, _ = Get(t.Context(), store, src.question("a"))
	}
	if len(told) != 1 || told[0].Source != "test" || told[0].Err != nil {
		t.Errorf("told of %v, want one request to test", told)
	}
}

func TestTwoQuestionsOfOneNameAreAnError(t *testing.T) {
	store, _ := newStore()
	_, _ = Get(t.Context(), store, (&source{}).question("a"))
	other := Query[string]{Key: Key{Source: "test", Query: "a"}, MaxAge: halfPeriod}
	if _, err := Get(t.Context(), store, other); err == nil {
		t.Error("no error")
	}
}
