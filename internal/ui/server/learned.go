package server

import (
	"net/http"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// learned answers with what was learned of a workload. It takes as long as a decision
// of long ago, and takes its turn like one.
func (s *server) learned(w http.ResponseWriter, r *http.Request) {
	l, ok := s.options.Feed.(feed.Learns)
	if !ok {
		refuse(w, http.StatusConflict, "what was learned is known where the demand is")
		return
	}
	if err := s.shown(r).sees(keyOf(r)); err != nil {
		s.answer(w, nil, err)
		return
	}
	if !turn(r.Context(), s.decisions) {
		return
	}
	defer func() { <-s.decisions }()
	found, err := l.Learned(r.Context(), keyOf(r))
	s.answer(w, found, err)
}
