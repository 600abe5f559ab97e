package prometheus

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

// Source is the name under which requests of this package are counted.
const Source = "prometheus"

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

// ErrNoServer is returned where no server is known.
var ErrNoServer = errors.New("no Prometheus server is known: have the administrator set prometheus.address")

// Client asks one server. It may be used from many goroutines.
type Client struct {
	settings v1alpha1.PrometheusSettings
	base     *url.URL
	http     *http.Client
	answers  *snapshot.Store
	// past holds a token for each question about the past that is under way.
	past chan struct{}
}

// New returns a client for the administrator's server. The file of the
// certificates is read once, the file of the token with every request: tokens
// are replaced while the controller runs.
func New(settings v1alpha1.PrometheusSettings, answers *snapshot.Store) (*Client, error) {
	if settings.Address == "" {
		return nil, ErrNoServer
	}
	base, err := url.Parse(settings.Address)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, fmt.Errorf("prometheus.address must be a URL such as http://prometheus.monitoring:9090, got %.128q", settings.Address)
	}
	if base.User != nil {
		return nil, errors.New("prometheus.address must not hold a password: put a token into the file prometheus.tokenFile")
	}
	if base.RawQuery != "" {
		return nil, errors.New("prometheus.address must not have a query: it would show up in errors")
	}
	if settings.TokenFile != "" && base.Scheme != "https" {
		return nil, errors.New("prometheus.tokenFile needs an https address: anybody on the way could read the token otherwise")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if settings.CAFile != "" {
		trusted, err := certificates(settings.CAFile)
		if err != nil {
			return nil, err
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}
	}
	return &Client{
		settings: settings, base: base, answers: answers, past: make(chan struct{}, atOnce),
		http: &http.Client{Transport: transport, CheckRedirect: sameHost},
	}, nil
}

func certificates(file string) (*x509.CertPool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("prometheus.caFile: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("prometheus.caFile: %s holds no certificate in PEM form", file)
	}
	return pool, nil
}

// sameHost lets a server redirect within itself only. Another host was not
// chosen by the administrator, and must not be sent queries or a token. Nor may
// a redirect leave https.
func sameHost(r *http.Request, via []*http.Request) error {
	if first := via[0].URL; r.URL.Host != first.Host || r.URL.Scheme != first.Scheme {
		return fmt.Errorf("the server redirects to another host, %s: set prometheus.address to where it really is", r.URL.Host)
	}
	if len(via) > 3 {
		return errors.New("the server redirects in circles")
	}
	return nil
}

// request is one question to the server.
type request struct {
	path  string
	form  url.Values
	limit int64
}

// ask posts a question and hands its answer to a reader. A query may be longer
// than what fits into a URL, so it is posted.
func (c *Client) ask(ctx context.Context, q request, read func(io.Reader) error) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.JoinPath(q.path).String(), strings.NewReader(q.form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/json")
	if err := c.authorize(r); err != nil {
		return err
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return snapshot.Outage{Err: fmt.Errorf("asking Prometheus: %w", err)}
	}
	defer func() { _ = answer.Body.Close() }()
	body := &bounded{in: answer.Body, left: q.limit}
	if answer.StatusCode != http.StatusOK {
		return refusal(answer.StatusCode, body)
	}
	return read(body)
}

func (c *Client) authorize(r *http.Request) error {
	if c.settings.TokenFile == "" {
		return nil
	}
	file, err := os.Open(c.settings.TokenFile)
	if err != nil {
		return fmt.Errorf("prometheus.tokenFile: %w", err)
	}
	defer func() { _ = file.Close() }()
	token, err := io.ReadAll(io.LimitReader(file, maxToken))
	if err != nil {
		return fmt.Errorf("prometheus.tokenFile: %w", err)
	}
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	return nil
}

// bounded is a reader that says so when there is too much to read.
type bounded struct {
	in   io.Reader
	left int64
}

var errTooLarge = errors.New("the answer is too large: aggregate more in the query, such as with sum()")

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
