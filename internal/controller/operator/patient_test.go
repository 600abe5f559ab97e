package operator

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
)

// TestWatchesWaitForTheAPIServer: however often they are not answered, they ask
// again at the same pace, and have the answer once there is one. Whoever writes is
// told at once.
func TestWatchesWaitForTheAPIServer(t *testing.T) {
	const failures = 300
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := asked.Add(1)
		switch {
		case n > failures:
			fmt.Fprint(w, "here")
		case n%2 == 0:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			panic(http.ErrAbortHandler) // the connection ends without an answer
		}
	}))
	defer server.Close()
	client := &http.Client{Transport: &patient{next: http.DefaultTransport, log: logr.Discard(), every: time.Microsecond}}
	answer, err := client.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || asked.Load() != failures+1 {
		t.Errorf("the answer is %s after %d questions, want the first that is one", answer.Status, asked.Load())
	}

	asked.Store(1) // the next is answered with 503
	refused, err := client.Post(server.URL, "text/plain", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer refused.Body.Close()
	if refused.StatusCode != http.StatusServiceUnavailable || asked.Load() != 2 {
		t.Errorf("a write was sent %d times and answered with %s", asked.Load()-1, refused.Status)
	}
}

// TestAWatchThatIsNotWantedEnds: also while nobody answers.
func TestAWatchThatIsNotWantedEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		cancel()
	}))
	defer server.Close()
	client := &http.Client{Transport: &patient{next: http.DefaultTransport, log: logr.Discard(), every: time.Hour}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := client.Do(req); err == nil {
		answer.Body.Close()
	} else if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestRefusalsAreNoAbsence: what the API server says is handed on.
func TestRefusalsAreNoAbsence(t *testing.T) {
	for _, status := range []int{http.StatusForbidden, http.StatusGone, http.StatusTooManyRequests, http.StatusNotFound} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
			defer server.Close()
			client := &http.Client{Transport: &patient{next: http.DefaultTransport, log: logr.Discard(), every: time.Hour}}
			answer, err := client.Get(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if answer.StatusCode != status {
				t.Errorf("got %s", answer.Status)
			}
		})
	}
}
