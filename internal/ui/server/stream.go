package server

import (
	"encoding/json"
	"hash/maphash"
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
	told := &told{seed: maphash.MakeSeed(), rows: map[feed.Key]uint64{}}
	for begun := false; ; begun = true {
		changed := s.options.Feed.Changed()
		line, err := told.news(s.shown(r))
		if err != nil {
			if !begun {
				s.answer(w, nil, err)
			}
			return
		}
		if !begun {
			w.Header().Set("Content-Type", "application/x-ndjson")
			w.Header().Set("Cache-Control", "no-store")
		}
		// Not every writer has deadlines; one that has none is a test's.
		_ = control.SetWriteDeadline(time.Now().Add(patience))
		if lines.Encode(line) != nil || control.Flush() != nil {
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

// told is what a caller has been told: a hash of each row.
type told struct {
	seed maphash.Seed
	rows map[feed.Key]uint64
}

// news returns what changed since it was called last.
func (t *told) news(f *shown) (news, error) {
	out, there := news{About: f.About()}, make(map[feed.Key]bool, len(t.rows))
	rows, err := f.Fleet()
	if err != nil {
		return out, err
	}
	for _, row := range rows {
		there[row.Key] = true
		text, err := json.Marshal(row)
		if err != nil {
			return out, err
		}
		if hash := maphash.Bytes(t.seed, text); t.rows[row.Key] != hash {
			t.rows[row.Key] = hash
			out.Rows = append(out.Rows, text)
		}
	}
	for key := range t.rows {
		if !there[key] {
			delete(t.rows, key)
			out.Gone = append(out.Gone, key)
		}
	}
	return out, nil
}
