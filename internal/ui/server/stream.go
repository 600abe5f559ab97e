package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// How often a stream says something: no more than it can be seen, and so often
// that a caller knows that we are still here. A write that takes longer than the
// last has nobody to read it.
const (
	pace     = 500 * time.Millisecond
	pulse    = 15 * time.Second
	patience = 30 * time.Second
)

// news is a line of a stream: what is new since the line before.
type news struct {
	About feed.About `json:"about"`
	// Rows are those that changed, Gone those that are no more.
	Rows []json.RawMessage `json:"rows,omitempty"`
	Gone []feed.Key        `json:"gone,omitempty"`
}

// stream tells a caller about the fleet, line by line, until it goes, or may not see
// anything any more.
func (s *server) stream(w http.ResponseWriter, r *http.Request) {
	who := askerOf(r)
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		refuse(w, http.StatusServiceUnavailable, "too many pages are open")
		return
	}
	if !s.shares.open(who.caller.Name()) {
		refuse(w, http.StatusServiceUnavailable, "you have too many pages open")
		return
	}
	defer s.shares.close(who.caller.Name())
	control, lines := http.NewResponseController(w), json.NewEncoder(w)
	told, begun := &told{}, false
	send := func(line news) error {
		if !begun {
			w.Header().Set("Content-Type", "application/x-ndjson")
			w.Header().Set("Cache-Control", "no-store")
		}
		begun = true
		// Not every writer has deadlines; one that has none is a test's.
		_ = control.SetWriteDeadline(time.Now().Add(patience))
		return errors.Join(lines.Encode(line), control.Flush())
	}
	for {
		rows, changed, err := s.written.of(s.options.Feed)
		if err == nil {
			err = told.tell(s.shown(r), rows, send)
		}
		if err != nil {
			if !begun {
				s.answer(w, nil, err)
			}
			return
		}
		if !wait(r, changed) {
			return
		}
		// The token may have been taken back, or have expired.
		if again, err := s.callers.Caller(r.Context(), who.token); err != nil || again.Name() != who.caller.Name() {
			return
		}
	}
}

// wait waits for something new, but not for too long, and reports false once the
// caller has gone.
func wait(r *http.Request, changed <-chan struct{}) bool {
	select {
	case <-r.Context().Done():
		return false
	case <-time.After(pace):
	}
	select {
	case <-r.Context().Done():
		return false
	case <-changed:
	case <-time.After(pulse):
	}
	return true
}

// told is what a caller has been told: the rows by their keys.
type told struct{ rows []*rowText }

// most is how many rows a line has: a large fleet comes in several, so that none of
// them takes much memory.
const most = 100

// tell sends what changed since it was called last.
func (t *told) tell(f *shown, all []*rowText, send func(news) error) error {
	rows, err := f.rows(all)
	if err != nil {
		return err
	}
	changed, gone := changes(t.rows, rows)
	t.rows = rows
	out := news{About: f.About()}
	for _, row := range changed {
		if len(out.Rows) == most {
			if err := send(out); err != nil {
				return err
			}
			out.Rows = out.Rows[:0]
		}
		out.Rows = append(out.Rows, row.text)
	}
	out.Gone = gone
	return send(out)
}
