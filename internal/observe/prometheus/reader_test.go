package prometheus

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/tidemark/tidemark/scale"
)

// TestAt: series have their labels, and one whose value is no number is left out.
func TestAt(t *testing.T) {
	var asked string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.FormValue("query") + " at " + r.FormValue("time")
		fmt.Fprint(w, `{"status":"success","data":{"resultType":"vector","result":[
			{"metric":{"pod":"a"},"value":[0,"1.5"]},{"metric":{"pod":"b"},"value":[0,"NaN"]},{"metric":{"pod":"c"},"histogram":[0,{}]}]}}`)
	}))
	defer server.Close()
	r, err := Open(flagged(server.URL), 1)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.At(t.Context(), "up", midnight)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Labeled{{map[string]string{"pod": "a"}, scale.Amount(1500)}}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if want := fmt.Sprintf("up at %d", midnight.Unix()); asked != want {
		t.Errorf("asked %s, want %s", asked, want)
	}
}

// TestAtRefuses what is no vector.
func TestAtRefuses(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"status":"success","data":{"resultType":"matrix","result":[]}}`)
	}))
	defer server.Close()
	r, err := Open(flagged(server.URL), 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.At(t.Context(), "up[5m]", midnight); err == nil || !strings.Contains(err.Error(), "matrix") {
		t.Errorf("got %v", err)
	}
}

// TestTurns: however many ask, the server has no more to answer than it should.
func TestTurns(t *testing.T) {
	const atOnce, askers = 2, 12
	var under, over atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if under.Add(1) > atOnce {
			over.Add(1)
		}
		// Long enough for the others to come as well, if nothing keeps them.
		time.Sleep(5 * time.Millisecond)
		fmt.Fprint(w, `{"status":"success","data":{"resultType":"vector","result":[]}}`)
		under.Add(-1)
	}))
	defer server.Close()
	r, err := Open(flagged(server.URL), atOnce)
	if err != nil {
		t.Fatal(err)
	}
	all, ctx := errgroup.WithContext(context.Background())
	for range askers {
		all.Go(func() error {
			_, err := r.At(ctx, "up", midnight)
			return err
		})
	}
	if err := all.Wait(); err != nil || over.Load() > 0 {
		t.Errorf("%v, %d times too many", err, over.Load())
	}
}

// TestABusyServerIsLeftAlone for as long as it asks for, by everybody: the server
// counts who comes in that time.
func TestABusyServerIsLeftAlone(t *testing.T) {
	pauses = time.Millisecond
	for name, c := range map[string]struct {
		code   int
		header func(time.Time) string
	}{
		"429, seconds": {http.StatusTooManyRequests, func(time.Time) string { return "1" }},
		// A date has no fractions of a second, so it is told a second later than it is.
		"503, a date": {http.StatusServiceUnavailable, func(now time.Time) string { return now.Add(2 * time.Second).UTC().Format(http.TimeFormat) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked, early atomic.Int64
			var rests atomic.Pointer[time.Time]
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if asked.Add(1) == 1 {
					w.Header().Set("Retry-After", c.header(time.Now()))
					end := time.Now().Add(time.Second)
					rests.Store(&end)
					w.WriteHeader(c.code)
					return
				}
				if time.Now().Before(*rests.Load()) {
					early.Add(1)
				}
				fmt.Fprint(w, `{"status":"success","data":{"resultType":"vector","result":[]}}`)
			}))
			defer server.Close()
			r, err := Open(flagged(server.URL), 1)
			if err != nil {
				t.Fatal(err)
			}
			all, ctx := errgroup.WithContext(context.Background())
			for range 4 {
				all.Go(func() error {
					_, err := r.At(ctx, "up", midnight)
					return err
				})
			}
			if err := all.Wait(); err != nil || early.Load() > 0 || asked.Load() != 5 {
				t.Errorf("%v: of %d questions %d came while it wanted to be left alone", err, asked.Load(), early.Load())
			}
		})
	}
}

// TestNotWaitedForHours: one that wants to be left alone for too long is told of.
func TestNotWaitedForHours(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "86400")
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer server.Close()
	r, err := Open(flagged(server.URL), 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.At(t.Context(), "up", midnight); err == nil || !strings.Contains(err.Error(), "answers 503, and wants to be asked again in 24h0m0s") {
		t.Errorf("got %v", err)
	}
}
