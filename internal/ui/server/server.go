package server

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/web"
)

// Options say who is served.
type Options struct {
	Feed feed.Feed
	// Token is what a caller must send, where there is one for all; otherwise Callers
	// knows who has which.
	Token   string
	Callers Callers
	// Hosts are the names by which the server may be called: with their port, or
	// without one where AnyPort is set, because something in between has its own.
	Hosts   []string
	AnyPort bool
	// TLS is set where pages come over https.
	TLS bool
	// Changer, where it is set, changes objects as callers ask; without one nothing is
	// changed.
	Changer Changer
	// Foreign, where it is set, reads objects of other autoscalers with the tokens that
	// callers bring.
	Foreign Foreign
	Log     *slog.Logger
}

// The bounds of what may be asked: requests of one caller each second, and of all
// callers; streams that are open, of one and of all; decisions that are looked for and
// times that are read at once, and the bytes of a body.
const (
	requests   = 50
	burst      = 100
	crowd      = 10
	streams    = 32
	mostCrowd  = 256
	decisions  = 2
	reads      = 32
	mostBody   = 64 << 10
	mostTokens = 8 << 10
)

// warnEvery is how often the same is logged.
const warnEvery = 10 * time.Second

// server answers requests.
type server struct {
	options   Options
	callers   Callers
	limit     *rate.Limiter
	shares    shares
	streams   chan struct{}
	decisions chan struct{}
	// reads are those of what may be far away.
	reads   chan struct{}
	written written
	// warned bounds what is logged: anyone can ask again and again.
	warned rate.Sometimes
}

// New returns the handler of the pages and their data.
func New(o Options) http.Handler {
	s := &server{options: o, callers: o.Callers, limit: rate.NewLimiter(requests, burst), warned: rate.Sometimes{First: 1, Interval: warnEvery}}
	s.streams, s.decisions, s.reads = make(chan struct{}, streams), make(chan struct{}, decisions), make(chan struct{}, reads)
	if s.callers == nil {
		s.callers = one{o.Token}
	} else {
		s.limit, s.streams = rate.NewLimiter(crowd*requests, crowd*burst), make(chan struct{}, mostCrowd)
	}
	api := http.NewServeMux()
	api.HandleFunc("GET /api/stream", s.stream)
	api.HandleFunc("GET /api/lanes", s.lanes)
	api.HandleFunc("GET /api/decision", s.decision)
	api.HandleFunc("POST /api/speed", s.speed)
	s.addTries(api)
	api.HandleFunc("GET /api/learned", s.learned)
	api.HandleFunc("GET /api/foreign", s.foreign)
	api.HandleFunc("GET /api/object", s.object)
	api.HandleFunc("POST /api/change", s.change)
	api.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "there is no such thing to ask for")
	})
	all := http.NewServeMux()
	// Who has no token takes nothing from those who have.
	all.Handle("/api/", s.known(s.bounded(api)))
	all.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
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
		// A kubelet that probes calls by an address.
		if !s.named(r.Host) && r.URL.Path != "/healthz" {
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
	if name, _, err := net.SplitHostPort(host); err == nil && s.options.AnyPort {
		host = name
	}
	return slices.ContainsFunc(s.options.Hosts, func(h string) bool { return strings.EqualFold(h, host) })
}

// own tells whether an origin is this server's.
func (s *server) own(origin string) bool {
	scheme := "http://"
	if s.options.TLS {
		scheme = "https://"
	}
	host, ok := strings.CutPrefix(origin, scheme)
	return ok && s.named(host)
}

// bounded refuses what is too much.
func (s *server) bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.limit.Allow() {
			tooMuch(w)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		next.ServeHTTP(&patient{ResponseWriter: w}, r)
	})
}

// tooMuch asks for a pause.
func tooMuch(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "1")
	refuse(w, http.StatusTooManyRequests, "too many requests: try again in a second")
}

// known refuses who does not have a token that is known, and those who ask too
// much.
func (s *server) known(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || token == "" || len(token) > mostTokens {
			s.strange(w)
			return
		}
		caller, err := s.callers.Caller(r.Context(), token)
		switch {
		case errors.Is(err, ErrStranger):
			s.strange(w)
			return
		case err != nil:
			s.warned.Do(func() { s.options.Log.Warn("Could not find out who asks", "error", err) })
			refuse(w, http.StatusServiceUnavailable, "it cannot be found out whose token this is: try again later")
			return
		case !s.shares.ask(caller.Name()):
			tooMuch(w)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, asking{caller, token})))
	})
}

// strange refuses a token.
func (s *server) strange(w http.ResponseWriter) {
	w.Header().Set("WWW-Authenticate", "Bearer")
	advice := "open the address that 'tidemark ui' printed"
	if s.options.Callers != nil {
		advice = "paste a token of the cluster, such as 'kubectl create token' prints"
	}
	refuse(w, http.StatusUnauthorized, ErrStranger.Error()+": "+advice)
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
	var refused Refusal
	switch {
	case errors.Is(err, feed.ErrUnknown), errors.Is(err, feed.ErrNoDecision):
		refuse(w, http.StatusNotFound, err.Error())
		return
	case errors.Is(err, errNothing):
		refuse(w, http.StatusForbidden, err.Error())
		return
	case errors.Is(err, ErrUnsure):
		s.warned.Do(func() { s.options.Log.Warn("Could not find out what a caller may see", "error", err) })
		refuse(w, http.StatusServiceUnavailable, ErrUnsure.Error())
		return
	case errors.As(err, &refused):
		refuse(w, refused.Code, refused.Words)
		return
	case err != nil:
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		s.options.Log.Info("Could not answer", "error", err)
	}
}
