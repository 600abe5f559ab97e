package webhook

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

func TestReviewsAreBounded(t *testing.T) {
	passed := bounded(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
	}))
	for name, tc := range map[string]struct {
		body string
		want int
	}{
		"a review":             {`{"request":{"uid":"1"}}`, 200},
		"a megabyte of values": {`{"request":{"object":{"spec":{"containers":[` + strings.Repeat("{},", 333_000) + `{}]}}}}`, 413},
		"four megabytes":       {`{"request":"` + strings.Repeat("a", 4<<20) + `"}`, 413},
		"no JSON":              {`hello`, 413},
	} {
		t.Run(name, func(t *testing.T) {
			recorder := httptest.NewRecorder()
			passed.ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, Path, strings.NewReader(tc.body)))
			if recorder.Code != tc.want || tc.want == 200 && recorder.Body.String() != tc.body {
				t.Errorf("want %d, got %d %s", tc.want, recorder.Code, recorder.Body)
			}
		})
	}
}

// TestFewReviewsAtOnce sends more than may be read at once, all of which wait
// inside: the others do not get there.
func TestFewReviewsAtOnce(t *testing.T) {
	inside, leave := make(chan struct{}), make(chan struct{})
	handler := bounded(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		inside <- struct{}{}
		<-leave
	}))
	codes := make(chan int, reviews+3)
	var group sync.WaitGroup
	send := func() {
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, Path, strings.NewReader("{}")))
		codes <- recorder.Code
	}
	for range reviews {
		group.Go(send)
		<-inside
	}
	for range 3 {
		group.Go(send)
	}
	for range 3 {
		if code := <-codes; code != http.StatusTooManyRequests {
			t.Errorf("want 429 for those who come later, got %d", code)
		}
	}
	close(leave)
	group.Wait()
}
