package server

import (
	"net/http"
	"strconv"
	"time"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// usualColumns is how many columns a window has where nobody says.
const usualColumns = 1000

// lanes answers with a workload over a time.
func (s *server) lanes(w http.ResponseWriter, r *http.Request) {
	from, ok1 := number(r, "from", 0)
	to, ok2 := number(r, "to", 0)
	columns, ok3 := number(r, "columns", usualColumns)
	if !ok1 || !ok2 || !ok3 || columns < 1 || columns > feed.MostColumns {
		refuse(w, http.StatusBadRequest, "from, to and columns must be numbers: times in milliseconds, and at most 4000 columns")
		return
	}
	if !turn(r.Context(), s.reads) {
		return
	}
	defer func() { <-s.reads }()
	lanes, err := s.shown(r).Lanes(keyOf(r), feed.Window{From: from, To: to, Columns: int(columns)})
	s.answer(w, lanes, err)
}

// decision answers with a decision. What is asked again and again takes its turn:
// a decision of long ago takes a while.
func (s *server) decision(w http.ResponseWriter, r *http.Request) {
	at, ok := number(r, "at", 0)
	if !ok {
		refuse(w, http.StatusBadRequest, "at must be a time in milliseconds")
		return
	}
	if !turn(r.Context(), s.decisions) {
		return
	}
	defer func() { <-s.decisions }()
	moment := time.Time{}
	if at > 0 {
		moment = time.UnixMilli(at).UTC()
	}
	d, err := s.shown(r).Decision(keyOf(r), moment)
	s.answer(w, d, err)
}

// speed sets how fast time passes.
func (s *server) speed(w http.ResponseWriter, r *http.Request) {
	paced, ok := s.options.Feed.(feed.Paced)
	if !ok {
		refuse(w, http.StatusConflict, "only the demo's time passes as fast as one likes")
		return
	}
	var asked struct {
		Speed *int `json:"speed"`
	}
	if err := decode(r, &asked); err != nil || asked.Speed == nil {
		refuse(w, http.StatusBadRequest, `the body must be {"speed": N}`)
		return
	}
	paced.SetSpeed(*asked.Speed)
	s.answer(w, s.options.Feed.About(), nil)
}

func keyOf(r *http.Request) feed.Key {
	q := r.URL.Query()
	return feed.Key{Namespace: q.Get("namespace"), Name: q.Get("name")}
}

// number reads a number of the query.
func number(r *http.Request, name string, usual int64) (int64, bool) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return usual, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 0
}
