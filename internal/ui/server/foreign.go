package server

import (
	"net/http"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// foreign answers with the objects of other autoscalers, or with one of them beside
// what it is converted to.
func (s *server) foreign(w http.ResponseWriter, r *http.Request) {
	m, ok := s.options.Feed.(feed.Migrates)
	if !ok || s.options.Callers != nil {
		// What is shared is read with the rights of this program, not of the caller.
		refuse(w, http.StatusConflict, "the objects of other autoscalers are read with your own rights: start 'tidemark ui' with your kubeconfig")
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
