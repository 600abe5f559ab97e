package prometheus

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/prometheus/client_golang/api"

	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

// Bounds of one request.
const (
	// Timeout bounds a query for the present, HistoryTimeout one for the past.
	Timeout        = 10 * time.Second
	HistoryTimeout = 2 * time.Minute
	// maxInstant and maxRange bound the size of an answer in bytes.
	maxInstant = 4 << 20
	maxRange   = 64 << 20
	// maxToken bounds the file of the token.
	maxToken = 64 << 10
)

// Server is where Prometheus is and how to get in.
type Server struct {
	// Address is a URL such as http://prometheus:9090. A path before /api/v1
	// may follow.
	Address string
	// TokenFile holds a bearer token. It is read with every request: tokens are
	// replaced while a controller runs. CAFile is read once.
	TokenFile, CAFile string
	// Headers go with every request, such as the tenant of a server that has many.
	Headers http.Header
	// Names are used in errors.
	Names Names
	// OwnChoice is set where the one who reads errors has chosen the server, so
	// that nothing it says need be kept from them.
	OwnChoice bool
}

// Names are what the one who chose a server calls its settings, and how they
// are told to look at one: fields of a configuration are another's to change,
// flags their own.
type Names struct{ Address, TokenFile, CAFile, Check string }

// connection asks one server, with an answer of a bounded size.
type connection struct {
	server Server
	// The API's client is used for its transport of requests, and not its types
	// for queries: those make floating-point numbers of values that are exact
	// decimals here, and hide the codes that tell an outage from a mistake.
	instant, ranged api.Client
}

// connect refuses an address or files that would not be safe to use.
func (s Server) connect() (*connection, error) {
	base, err := url.Parse(s.Address)
	switch {
	// What could be a secret is looked for first: the address is quoted below.
	case strings.Contains(s.Address, "@"):
		return nil, fmt.Errorf("%s must not hold a password: put a token into the file %s", s.Names.Address, s.Names.TokenFile)
	case strings.Contains(s.Address, "?"):
		return nil, fmt.Errorf("%s must not have a query: it would show up in errors", s.Names.Address)
	case err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https"):
		return nil, fmt.Errorf("%s must be a URL such as http://prometheus.monitoring:9090, got %.128q", s.Names.Address, s.Address)
	case s.TokenFile != "" && base.Scheme != "https":
		return nil, fmt.Errorf("%s needs an https address: anybody on the way could read the token otherwise", s.Names.TokenFile)
	case s.Headers.Get("Authorization") != "" && base.Scheme != "https":
		return nil, errors.New("the header Authorization needs an https address: anybody on the way could read it otherwise")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if s.CAFile != "" {
		trusted, err := certificates(s.CAFile)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Names.CAFile, err)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}
	}
	c := &connection{server: s}
	if c.instant, err = client(s.Address, bounded{transport, maxInstant}); err != nil {
		return nil, err
	}
	c.ranged, err = client(s.Address, bounded{transport, maxRange})
	return c, err
}

// client follows no redirect: it would carry the query, and perhaps the token,
// to where nobody has chosen to send them.
func client(address string, transport http.RoundTripper) (api.Client, error) {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return api.NewClient(api.Config{Address: address, Client: &http.Client{Transport: transport, CheckRedirect: stay}})
}

func certificates(file string) (*x509.CertPool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM form", file)
	}
	return pool, nil
}

// ask posts a question and returns the answer. A query may be longer than what
// fits into a URL, so it is posted.
func (c *connection) ask(ctx context.Context, by api.Client, path string, form url.Values, headers http.Header) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, by.URL(path, nil).String(), strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	maps.Copy(r.Header, c.server.Headers)
	maps.Copy(r.Header, headers)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/json")
	if err := c.authorize(r); err != nil {
		return nil, fmt.Errorf("%s: %w", c.server.Names.TokenFile, err)
	}
	answer, body, err := by.Do(ctx, r) //nolint:bodyclose // Do reads the body and closes it.
	switch {
	case answer == nil:
		return nil, snapshot.Outage{Err: fmt.Errorf("asking Prometheus: %w", err)}
	case answer.StatusCode != http.StatusOK:
		return nil, c.refusal(answer, body)
	case err == nil && isPage(answer, body):
		return nil, c.paged()
	case err != nil:
		return nil, fmt.Errorf("reading Prometheus' answer: %w", err)
	}
	return body, nil
}

func (c *connection) authorize(r *http.Request) error {
	if c.server.TokenFile == "" {
		return nil
	}
	file, err := os.Open(c.server.TokenFile)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	token, err := io.ReadAll(io.LimitReader(file, maxToken))
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	return err
}

// bounded is a transport whose answers are no longer than a limit.
type bounded struct {
	next  http.RoundTripper
	limit int64
}

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.next.RoundTrip(r)
	if err == nil {
		answer.Body = &limited{answer.Body, b.limit}
	}
	return answer, err
}

// limited is a body that says so when there is too much to read.
type limited struct {
	io.ReadCloser
	left int64
}

var errTooLarge = errors.New("the answer is too large: aggregate more in the query, such as with sum()")

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLarge
	}
	n, err := l.ReadCloser.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}
