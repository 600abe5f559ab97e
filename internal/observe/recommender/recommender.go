package recommender

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/tidemark/tidemark/internal/egress"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

// Bounds of one request.
const (
	Timeout   = 5 * time.Second
	maxAnswer = 1 << 20
	idle      = 90 * time.Second
)

// Client asks recommenders. It may be used from many goroutines.
type Client struct {
	// allowed returns the hosts that may be called at the moment.
	allowed func() []string
	http    *http.Client
	answers *snapshot.Store
}

// New returns a client that calls no other hosts than the allowed ones.
func New(allowed func() []string, answers *snapshot.Store) *Client {
	// No proxy: it would resolve names again, and reach what must not be called.
	direct := &http.Transport{DialContext: new(egress.Dialer).DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: Timeout, IdleConnTimeout: idle}
	return &Client{allowed: allowed, answers: answers, http: &http.Client{
		Transport:     direct,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Recommendations asks the service at an address about a workload. The answer
// may be so old.
func (c *Client) Recommendations(ctx context.Context, address string, w Workload, maxAge time.Duration) ([]scale.Recommendation, error) {
	u, err := c.check(address)
	if err != nil {
		return nil, fmt.Errorf("vertical.recommender.url: %w", err)
	}
	return snapshot.Get(ctx, c.answers, snapshot.Query[[]scale.Recommendation]{
		// Each host is a source of its own, so that one that is slow does not
		// take the places of the others. There are as many as the administrator allows.
		Key:    snapshot.Key{Source: "recommender " + u.Host, Tenant: w.Namespace, Query: address + " " + w.Name},
		MaxAge: maxAge, Valid: snapshot.ValidFor(maxAge),
		Fetch: func(ctx context.Context) ([]scale.Recommendation, error) {
			out, err := c.ask(ctx, u, w)
			if err != nil {
				return nil, fmt.Errorf("asking the recommender at %s: %w", u.Host, err)
			}
			return out, nil
		},
	})
}

// check refuses an address that must not be called.
func (c *Client) check(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "":
		return nil, errors.New("is not a URL with a host: write https://HOST/PATH")
	case u.User != nil:
		return nil, errors.New("must not hold a password: anybody who reads the object could see it")
	case u.Scheme != "https" && (u.Scheme != "http" || !egress.Loopback(u.Hostname())):
		return nil, errors.New("must be https")
	}
	entry, ok, err := egress.Allowed(c.allowed(), u)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("the host %s is not allowed: have the administrator add it to allowedRecommenderHosts, with its port if that is not "+
			"the usual one", u.Host)
	}
	// The administrator's word for it: sources are counted by their host, and
	// users must not invent new ones.
	u.Host = entry
	return u, nil
}

func (c *Client) ask(ctx context.Context, u *url.URL, w Workload) ([]scale.Recommendation, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	body, err := json.Marshal(w)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, snapshot.Outage{Err: unanswered(err)}
	}
	defer func() { _ = answer.Body.Close() }()
	switch {
	case answer.StatusCode >= 300 && answer.StatusCode < 400:
		return nil, errors.New("it redirects, which is not followed: name the service itself in vertical.recommender.url")
	case answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests:
		return nil, snapshot.Outage{Err: fmt.Errorf("it answers %d: look at its own log", answer.StatusCode)}
	case answer.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("it answers %d: correct the path in vertical.recommender.url, or let the service answer without credentials", answer.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, snapshot.Outage{Err: fmt.Errorf("reading its answer: %w", err)}
	case len(text) > maxAnswer:
		return nil, fmt.Errorf("its answer has more than %d bytes", maxAnswer)
	}
	return read(text, &w)
}

// unanswered says what to do about a service that cannot be asked.
func unanswered(err error) error {
	var untrusted *tls.CertificateVerificationError
	switch {
	case errors.As(err, &untrusted):
		return fmt.Errorf("%w: have the administrator name its authority in SSL_CERT_FILE", err)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("it gives no answer within %s: look at its own log: %w", Timeout, err)
	}
	return err
}
