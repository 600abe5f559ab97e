package server

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"golang.org/x/time/rate"

	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/web"
)

// Options say who is served.
type Options struct {
	Feed feed.Feed
	// Token is what a caller must send.
	Token string
	// Hosts are the names, with their port, by which the server may be called.
	Hosts []string
	Log   *slog.Logger
}

// The bounds of what may be asked: requests each second, streams that are open,
// decisions that are looked for at once, and the bytes of a body.
const (
	requests  = 50
	burst     = 100
	streams   = 32
	decisions = 2
	mostBody  = 64 << 10
)

// server answers requests.
type server struct {
	Options
	limit     *rate.Limiter
	streams   chan struct{}
	decisions chan struct{}
}

// New returns the handler of the pages and their data.
func New(o Options) http.Handler {
	s := &server{Options: o, limit: rate.NewLimiter(requests, burst), streams: make(chan struct{}, streams), decisions: make(chan struct{}, decisions)}
	api := http.NewServeMux()
	api.HandleFunc("GET /api/stream", s.stream)
	api.HandleFunc("GET /api/lanes", s.lanes)
	api.HandleFunc("GET /api/decision", s.decision)
	api.HandleFunc("POST /api/speed", s.speed)
	s.addTries(api)
	api.HandleFunc("GET /api/learned", s.learned)
	api.HandleFunc("GET /api/foreign", s.foreign)
	api.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "there is no such thing to ask for")
	})
	all := http.NewServeMux()
	all.Handle("/api/", s.bounded(s.known(api)))
	all.Handle("/", web.Handler())
	return s.guarded(all)
}

// policy is what a page may load: what this server gives, and nothing else. No
// script and no style inside of markup is run.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guarded refuses callers that took a wrong name for us, or were sent by a page of
// someone else, and tells browsers what pages may do.
func (s *server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if !s.named(r.Host) {
			refuse(w, http.StatusMisdirectedRequest, "this server is not called "+r.Host)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && !s.own(origin) {
			refuse(w, http.StatusForbidden, "pages of others may not ask")
			return
		}
		if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
			refuse(w, http.StatusForbidden, "pages of others may not ask")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *server) named(host string) bool {
	for _, h := range s.Hosts {
		if strings.EqualFold(h, host) {
			return true
		}
	}
	return false
}

// own tells whether an origin is this server's.
func (s *server) own(origin string) bool {
	host, ok := strings.CutPrefix(origin, "http://")
	return ok && s.named(host)
}

// bounded refuses what is too much.
func (s *server) bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.limit.Allow() {
			w.Header().Set("Retry-After", "1")
			refuse(w, http.StatusTooManyRequests, "too many requests: try again in a second")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		next.ServeHTTP(w, r)
	})
}

// known refuses who does not have the token.
func (s *server) known(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || subtle.ConstantTimeCompare([]byte(given), []byte(s.Token)) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "the token is missing or wrong: open the address that 'tidemark ui' printed")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, code int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	// Who has gone does not need an answer.
	_ = json.NewEncoder(w).Encode(map[string]string{"error": message})
}

// answer answers with a value.
func (s *server) answer(w http.ResponseWriter, value any, err error) {
	switch {
	case errors.Is(err, feed.ErrUnknown), errors.Is(err, feed.ErrNoDecision):
		refuse(w, http.StatusNotFound, err.Error())
		return
	case err != nil:
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		s.Log.Info("Could not answer", "error", err)
	}
}
