package jsonapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// entry is what is noted of a request while it is answered.
type entry struct {
	http.ResponseWriter
	status int
	err    error
}

type entryKey struct{}

// WriteHeader notes the status.
func (e *entry) WriteHeader(status int) {
	e.status = status
	e.ResponseWriter.WriteHeader(status)
}

// Unwrap lets a handler limit the time of its request.
func (e *entry) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// logged writes one line for each request: the path without its query, and
// neither headers nor bodies, so that no token can end up in a log.
func logged(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := &entry{ResponseWriter: w, status: http.StatusOK}
		began := time.Now()
		next.ServeHTTP(e, r.WithContext(context.WithValue(r.Context(), entryKey{}, e)))
		attributes := []any{"method", r.Method, "path", r.URL.EscapedPath(), "status", e.status, "took", time.Since(began).Round(time.Microsecond)}
		if e.err != nil {
			attributes = append(attributes, "error", e.err.Error())
		}
		log.Info("Request", attributes...)
	})
}
