package operator

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
)

// lookAgain is how often those who watch ask an API server that does not answer, on
// average. They are about ten.
const lookAgain = 2 * time.Second

// watcher returns the client of the caches. What watches would otherwise come back
// ever later, up to a minute after the API server is back, and everything that is
// decided until then would be decided on what was seen before it went away.
func watcher(api *rest.Config, log logr.Logger) (*http.Client, error) {
	api = rest.CopyConfig(api)
	api.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return &patient{next: next, log: log, every: lookAgain}
	})
	client, err := rest.HTTPClientFor(api)
	if err != nil {
		return nil, fmt.Errorf("setting up the client of the caches: %w", err)
	}
	return client, nil
}

// patient is a transport whose reads wait until there is an answer.
type patient struct {
	next  http.RoundTripper
	log   logr.Logger
	every time.Duration

	mu   sync.Mutex
	said time.Time
}

// RoundTrip asks again and again, until the context ends.
func (p *patient) RoundTrip(r *http.Request) (*http.Response, error) {
	for {
		answer, err := p.next.RoundTrip(r)
		if r.Method != http.MethodGet || err == nil && answer.StatusCode < http.StatusInternalServerError || r.Context().Err() != nil {
			return answer, err
		}
		if err == nil {
			err = fmt.Errorf("the answer is %s", answer.Status)
			_ = answer.Body.Close() // nobody reads it
		}
		p.say(r, err)
		select {
		case <-time.After(p.every/2 + rand.N(p.every)):
		case <-r.Context().Done():
			return nil, context.Cause(r.Context())
		}
	}
}

// WrappedRoundTripper is the transport inside, for those who look for its
// certificates.
func (p *patient) WrappedRoundTripper() http.RoundTripper { return p.next }

// say logs what is waited for, now and then.
func (p *patient) say(r *http.Request, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.said) < sayAgain {
		return
	}
	p.said = time.Now()
	p.log.Info("Waiting for the API server to watch", "path", r.URL.Path, "error", err.Error())
}
