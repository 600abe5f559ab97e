package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// tries is how many replays and searches go on at once: each takes a core or more.
const tries = 4

// addTries adds what is asked of a feed that can try other policies.
func (s *server) addTries(api *http.ServeMux) {
	turns := make(chan struct{}, tries)
	api.HandleFunc("GET /api/whatif", func(w http.ResponseWriter, r *http.Request) {
		if t, ok := s.tries(w, r, keyOf(r)); ok && turn(r.Context(), s.reads) {
			defer func() { <-s.reads }()
			object, err := t.Object(r.Context(), keyOf(r))
			s.answer(w, object, err)
		}
	})
	api.HandleFunc("POST /api/recommend", func(w http.ResponseWriter, r *http.Request) {
		if t, e, ok := s.edited(w, r); ok {
			object, err := t.Recommend(e)
			s.answer(w, object, err)
		}
	})
	api.HandleFunc("POST /api/try", s.told(turns, feed.Tries.Try))
	api.HandleFunc("POST /api/tune", s.told(turns, feed.Tries.Tune))
	api.HandleFunc("POST /api/why", func(w http.ResponseWriter, r *http.Request) {
		if t, e, ok := s.edited(w, r); ok && turn(r.Context(), turns) {
			defer func() { <-turns }()
			d, err := t.Why(r.Context(), e, e.At)
			s.answer(w, d, err)
		}
	})
}

// tries is the feed as one that can try other policies on a workload, if the caller may
// see it.
func (s *server) tries(w http.ResponseWriter, r *http.Request, k feed.Key) (feed.Tries, bool) {
	t, ok := s.options.Feed.(feed.Tries)
	if !ok {
		refuse(w, http.StatusConflict, "other policies can be tried where the demand is known")
		return nil, false
	}
	if err := s.shown(r).sees(k); err != nil {
		s.answer(w, nil, err)
		return nil, false
	}
	return t, true
}

// turn waits until there is room for one more, or nobody waits any longer.
func turn(ctx context.Context, turns chan struct{}) bool {
	select {
	case turns <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// decode reads the body of a request: one value, and nothing that nobody knows.
func decode(r *http.Request, into any) error {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one value")
	}
	return nil
}

// edited reads what someone changed of a workload that they may see.
func (s *server) edited(w http.ResponseWriter, r *http.Request) (feed.Tries, feed.Edit, bool) {
	var e feed.Edit
	if err := decode(r, &e); err != nil {
		refuse(w, http.StatusBadRequest, "the body must be an edited object in JSON, of at most 64 KiB")
		return nil, e, false
	}
	t, ok := s.tries(w, r, e.Key)
	return t, e, ok
}

// told answers line by line. Once a line is written, what goes wrong is a line too.
func (s *server) told(turns chan struct{}, ask func(feed.Tries, context.Context, feed.Edit, func(any) error) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		t, e, ok := s.edited(w, r)
		if !ok || !turn(r.Context(), turns) {
			return
		}
		defer func() { <-turns }()
		control, lines, began := http.NewResponseController(w), json.NewEncoder(w), false
		err := ask(t, r.Context(), e, func(line any) error {
			if !began {
				w.Header().Set("Content-Type", "application/x-ndjson")
				w.Header().Set("Cache-Control", "no-store")
			}
			began = true
			// Not every writer has deadlines; one that has none is a test's.
			_ = control.SetWriteDeadline(time.Now().Add(patience))
			return errors.Join(lines.Encode(line), control.Flush())
		})
		switch {
		case r.Context().Err() != nil, err == nil:
		case began:
			_ = lines.Encode(map[string]string{"error": err.Error()})
		default:
			s.answer(w, nil, err)
		}
	}
}
