package server

import (
	"context"
	"mime"
	"net/http"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// Changer changes objects as whoever has a token.
type Changer interface {
	// Object is what can be changed of an object.
	Object(ctx context.Context, token string, k feed.Key) (Object, error)
	Change(ctx context.Context, token string, k feed.Key, c Change) error
}

// Object is what can be changed of an object.
type Object struct {
	// Spec is its spec in YAML.
	Spec string `json:"spec"`
	// Version tells it from what it becomes by a change.
	Version string `json:"version"`
	Mode    string `json:"mode"`
	// Paused is the pause in the words of the annotation; empty is none.
	Paused string `json:"paused"`
}

// Change is a change that someone has confirmed.
type Change struct {
	feed.Key
	// Action is pause, resume, mode or apply.
	Action string `json:"action"`
	// Pause is the pause in the words of the annotation.
	Pause string `json:"pause,omitempty"`
	Mode  string `json:"mode,omitempty"`
	// Spec is a whole spec in YAML.
	Spec string `json:"spec,omitempty"`
	// Version is that of the object which was looked at.
	Version string `json:"version"`
}

// Refusal is an error with the code to answer it by.
type Refusal struct {
	Code  int
	Words string
}

func (r Refusal) Error() string { return r.Words }

// changeable refuses where nothing may be changed, and what the caller may not see.
func (s *server) changeable(w http.ResponseWriter, r *http.Request, k feed.Key) bool {
	if s.options.Changer == nil {
		refuse(w, http.StatusForbidden, "these pages change nothing: start 'tidemark ui' with --allow-changes")
		return false
	}
	if err := s.shown(r).sees(k); err != nil {
		s.answer(w, nil, err)
		return false
	}
	return true
}

// object answers with what can be changed of an object.
func (s *server) object(w http.ResponseWriter, r *http.Request) {
	if k := keyOf(r); s.changeable(w, r, k) {
		obj, err := s.options.Changer.Object(r.Context(), askerOf(r).token, k)
		s.answer(w, obj, err)
	}
}

// change makes a change. Only a page of ours can send what it takes: a form of
// another page cannot.
func (s *server) change(w http.ResponseWriter, r *http.Request) {
	var asked Change
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "a change must be sent as application/json")
		return
	}
	if err := decode(r, &asked); err != nil {
		refuse(w, http.StatusBadRequest, "the change could not be read: "+err.Error())
		return
	}
	if !s.changeable(w, r, asked.Key) {
		return
	}
	who := askerOf(r)
	err := s.options.Changer.Change(r.Context(), who.token, asked.Key, asked)
	log := s.options.Log.With("namespace", asked.Namespace, "name", asked.Name, "action", asked.Action, "caller", who.caller.Name())
	if err != nil {
		log.Info("Did not change an object", "error", err)
	} else {
		log.Info("Changed an object")
	}
	s.answer(w, struct{}{}, err)
}
