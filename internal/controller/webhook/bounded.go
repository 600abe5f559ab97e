package webhook

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/tidemark/tidemark/internal/strict"
)

// reviewBounds are far more than the review of a pod takes. Nobody has to prove
// that it is the API server who asks, see Callers, and a body costs many times its size once
// it is read into types.
var reviewBounds = strict.Bounds{Bytes: 3 << 20, Text: 512 << 10, Values: 5_000, Depth: 100}

// reviews is how many bodies are read at once.
const reviews = 4

// bounded lets few requests in at once, each with a body within its bounds. The
// others are refused, which the failure policy of the webhook makes a pod that
// passes.
func bounded(next http.Handler) http.Handler {
	free := make(chan struct{}, reviews)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), patience)
		defer cancel()
		select {
		case free <- struct{}{}:
			defer func() { <-free }()
		case <-ctx.Done():
			http.Error(w, "too many pods at once", http.StatusTooManyRequests)
			return
		}
		// Where the time cannot be limited here, the caller's own patience does.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(patience))
		body, err := strict.ReadJSON(r.Body, reviewBounds)
		if err != nil {
			http.Error(w, "the review is "+err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		r = r.WithContext(ctx)
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}
