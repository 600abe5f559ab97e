package server

import (
	"net/http"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// foreign answers with the objects of other autoscalers, or with one of them beside
// what it is converted to.
func (s *server) foreign(w http.ResponseWriter, r *http.Request) {
	m, err := s.migrates(r)
	if err != nil {
		s.answer(w, nil, err)
		return
	}
	if !turn(r.Context(), s.decisions) {
		return
	}
	defer func() { <-s.decisions }()
	if id := r.URL.Query().Get("id"); id != "" {
		move, err := m.Move(r.Context(), id)
		s.answer(w, move, err)
		return
	}
	all, err := m.Foreign(r.Context())
	s.answer(w, all, err)
}

// Foreign reads the objects of other autoscalers with the token that a caller brought.
type Foreign interface {
	// Of is what the cluster lets who has a token see: of all namespaces, or of those
	// that are named where that is not allowed.
	Of(token string, namespaces []string) (feed.Migrates, error)
}

// migrates is where the objects of other autoscalers are, as the caller may see them.
func (s *server) migrates(r *http.Request) (feed.Migrates, error) {
	if s.options.Callers == nil {
		if m, ok := s.options.Feed.(feed.Migrates); ok {
			return m, nil
		}
	} else if s.options.Foreign != nil {
		// What the feed has is read with the rights of this program, not of the caller.
		namespaces, err := s.shown(r).namespaces()
		if err != nil {
			return nil, err
		}
		if named := r.URL.Query().Get("namespace"); named != "" {
			namespaces = append(namespaces, named)
		}
		return s.options.Foreign.Of(askerOf(r).token, namespaces)
	}
	return nil, Refusal{http.StatusConflict, "the objects of other autoscalers are read with your own rights: start 'tidemark ui' with your kubeconfig"}
}
