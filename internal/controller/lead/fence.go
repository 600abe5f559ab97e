package lead

import (
	"net/http"
	"strings"
)

// Fence returns a transport that sends requests which change something only while
// this process certainly leads. A nil term always does.
func (t *Term) Fence(next http.RoundTripper) http.RoundTripper {
	if t == nil {
		return next
	}
	return &fence{term: t, next: next}
}

type fence struct {
	term *Term
	next http.RoundTripper
}

// RoundTrip looks at the clock as the last thing before a request is sent: a process
// that was paused since it decided must not send it any more.
func (f *fence) RoundTrip(r *http.Request) (*http.Response, error) {
	if changes(r) {
		if err := f.term.Certain(); err != nil {
			if r.Body != nil {
				_ = r.Body.Close() // as a RoundTripper has to, and nothing was read
			}
			return nil, err
		}
	}
	return f.next.RoundTrip(r)
}

// WrappedRoundTripper is the transport inside, for those who look for its
// certificates.
func (f *fence) WrappedRoundTripper() http.RoundTripper { return f.next }

// changes tells whether a request is a leader's. Replicas that stand by read, tell
// events, and ask whose token they were shown.
func changes(r *http.Request) bool {
	path := r.URL.Path
	switch r.Method {
	case http.MethodPut, http.MethodPatch, http.MethodDelete:
		return !strings.Contains(path, "/events/")
	case http.MethodPost:
		return strings.HasSuffix(path, "/eviction") || strings.HasPrefix(path, "/apis/autoscaling.tidemark.dev/")
	}
	return false
}
