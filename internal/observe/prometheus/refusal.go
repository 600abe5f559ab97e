package prometheus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

// refusal reads why a server did not answer a query. What it says of a query
// is an answer, and helps its author; of everything else only the code is told
// to those who did not choose the server.
func (c *connection) refusal(r *http.Response, body []byte) error {
	var answer envelope
	_ = json.Unmarshal(body, &answer)
	names, said := c.server.Names, ""
	if c.server.OwnChoice && answer.Error != "" {
		said = fmt.Sprintf(", %.256s", answer.Error)
	}
	switch code := r.StatusCode; {
	case code < 500 && code != http.StatusTooManyRequests && !whoAsks(code) && isPage(r, body):
		return c.paged()
	case code == http.StatusBadRequest || code == http.StatusUnprocessableEntity:
		return fmt.Errorf("the Prometheus server refuses the query: %.256s", answer.Error)
	case whoAsks(code) && c.server.OwnChoice && c.server.TokenFile == "" && len(c.server.Headers) == 0:
		return fmt.Errorf("the Prometheus server answers %d%s: it wants to know who asks, so give a token with %s", code, said, names.TokenFile)
	case whoAsks(code):
		return fmt.Errorf("the Prometheus server answers %d%s: %s %s", code, said, names.Check, names.TokenFile)
	case code == http.StatusNotFound:
		return fmt.Errorf("the Prometheus server answers 404%s: %s the path of %s", said, names.Check, names.Address)
	case code >= 300 && code < 400:
		return fmt.Errorf("the Prometheus server redirects%s, which is not followed: %s %s", whereTo(r), names.Check, names.Address)
	case code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable:
		return snapshot.Outage{Err: busy{fmt.Errorf("the Prometheus server answers %d%s", code, said), restOf(r, time.Now())}}
	default:
		return snapshot.Outage{Err: fmt.Errorf("the Prometheus server answers %d%s", code, said)}
	}
}

// whoAsks tells whether a code is about who asks, and not about the question.
func whoAsks(code int) bool {
	return code == http.StatusUnauthorized || code == http.StatusForbidden
}

// isPage tells whether an answer is for people: a page to log in at, or that of
// something else than a Prometheus.
func isPage(r *http.Response, body []byte) bool {
	return strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") || bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

// paged says what to do about a page.
func (c *connection) paged() error {
	names, hint := c.server.Names, ""
	if c.server.OwnChoice {
		hint = ", such as http://localhost:9090 behind kubectl port-forward; where a proxy wants a login, give a token with " + names.TokenFile
	}
	return fmt.Errorf("the server answers with a page of HTML, as a login or Grafana does, and not as Prometheus: %s %s, which must be the address "+
		"that has /api/v1/query below it%s", names.Check, names.Address, hint)
}

// busy is what a server says that has too much to do, and how long it wants to be
// left alone; zero where it does not say.
type busy struct {
	error
	rest time.Duration
}

// restOf reads the header Retry-After: seconds, or a moment.
func restOf(r *http.Response, now time.Time) time.Duration {
	text := r.Header.Get("Retry-After")
	if at, err := http.ParseTime(text); err == nil {
		return max(at.Sub(now), 0)
	}
	seconds, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// whereTo names where a redirect leads, without what could be a secret in it.
func whereTo(r *http.Response) string {
	to, err := r.Location()
	if err != nil {
		return ""
	}
	to.User, to.RawQuery, to.Fragment = nil, "", ""
	return fmt.Sprintf(" to %.128s", to)
}
