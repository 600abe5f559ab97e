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
	return Query[int]{Key: Key{"test", text}, MaxAge: halfPeriod, Fetch: func(context.Context) (int, error) {
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

func TestEveryoneWaitsForOneRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := New(Config{Clock: clock.RealClock{}})
		var asked atomic.Int32
		q := Query[string]{Key: Key{"test", "a"}, MaxAge: time.Minute, Fetch: func(context.Context) (string, error) {
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
		q := Query[string]{Key: Key{"test", "a"}, MaxAge: time.Minute, Fetch: func(ctx context.Context) (string, error) {
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
		_, err := Get(t.Context(), store, Query[int]{Key: Key{"test", "a"}, MaxAge: time.Minute, Fetch: func(ctx context.Context) (int, error) {
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
	// The waits are 1, 2, and then 4 half periods.
	want := []time.Duration{0, 1, 3}
	for at := time.Duration(7); at < 10*time.Minute/halfPeriod; at += 4 {
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

func TestAnOutageLeavesTheSourceAloneForEveryQuestion(t *testing.T) {
	store, now := newStore()
	src := &source{err: Outage{errors.New("connection refused")}}
	ask := func(from, to int) {
		for i := from; i < to; i++ {
			if _, err := Get(t.Context(), store, src.question(strconv.Itoa(i))); err == nil && src.err != nil {
				t.Fatalf("question %d: no error", i)
			}
		}
	}
	ask(0, 100)
	if src.asked != tooMany {
		t.Errorf("asked %d times, want %d and then no more", src.asked, tooMany)
	}
	now.SetTime(monday.Add(firstPause))
	ask(100, 200)
	if src.asked != tooMany+1 {
		t.Errorf("after the pause: asked %d times, want one probe more than %d", src.asked, tooMany)
	}
	src.err = nil
	now.SetTime(monday.Add(time.Hour))
	ask(0, 200)
	if want := tooMany + 1 + 200; src.asked != want {
		t.Errorf("after the source is back: asked %d times, want %d", src.asked, want)
	}
}

func TestANoIsNotAnOutage(t *testing.T) {
	store, _ := newStore()
	src := &source{err: errors.New("no such metric")}
	for i := range 50 {
		_, _ = Get(t.Context(), store, src.question(strconv.Itoa(i)))
	}
	if src.asked != 50 {
		t.Errorf("asked %d times, want all 50 questions", src.asked)
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
	other := Query[string]{Key: Key{"test", "a"}, MaxAge: halfPeriod}
	if _, err := Get(t.Context(), store, other); err == nil {
		t.Error("no error")
	}
}
