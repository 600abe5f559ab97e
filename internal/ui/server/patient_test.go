package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// timed is a writer that notes how often a time was set for it.
type timed struct {
	*httptest.ResponseRecorder
	set int
}

func (w *timed) SetWriteDeadline(time.Time) error { w.set++; return nil }

// slow is a feed that does something while it looks for an answer.
type slow struct {
	fake
	meanwhile func()
}

func (s *slow) Lanes(ctx context.Context, k feed.Key, w feed.Window) (feed.Lanes, error) {
	s.meanwhile()
	return s.fake.Lanes(ctx, k, w)
}

// TestAnswersTakeTheirTime: the time to read an answer begins once there is one.
func TestAnswersTakeTheirTime(t *testing.T) {
	w, during := &timed{ResponseRecorder: httptest.NewRecorder()}, -1
	f := &slow{meanwhile: func() { during = w.set }}
	r := httptest.NewRequest(http.MethodGet, "/api/lanes?name=web", nil)
	r.Host = "pages"
	r.Header.Set("Authorization", "Bearer "+token)
	New(Options{Feed: f, Token: token, Hosts: []string{"pages"}, Log: slog.New(slog.DiscardHandler)}).ServeHTTP(w, r)
	if w.Code != http.StatusOK || during != 0 || w.set == 0 {
		t.Errorf("%d: %d before, %d in all", w.Code, during, w.set)
	}
}
