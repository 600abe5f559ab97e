package promrange

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// Bounds of one request.
const (
	usualTimeout = time.Minute
	mostBytes    = 256 << 20
	mostTries    = 4
)

// pauses is how long to wait before a request is repeated. Tests shorten it.
var pauses = time.Second

// client asks one server.
type client struct {
	Options
	endpoint string
	http     *http.Client
}

func (o *Options) client() (*client, error) {
	address, err := o.check()
	if err != nil {
		return nil, err
	}
	timeout := o.Timeout
	if timeout <= 0 {
		timeout = usualTimeout
	}
	// A redirect would carry the query, and perhaps the token, elsewhere.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client{
		Options: *o, endpoint: address.JoinPath("api", "v1", "query_range").String(),
		http: &http.Client{Timeout: timeout, CheckRedirect: stay},
	}, nil
}

// errBusy is for answers that may be better a moment later.
var errBusy = errors.New("the server is busy")

// query asks for one piece, again where the server is busy or cannot be reached.
func (c *client) query(ctx context.Context, p piece) ([]byte, error) {
	for try := 1; ; try++ {
		body, err := c.once(ctx, p)
		var network *url.Error
		if err == nil || try == mostTries || ctx.Err() != nil || !(errors.Is(err, errBusy) || errors.As(err, &network)) {
			return body, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pauses << (try - 1)):
		}
	}
}

func (c *client) once(ctx context.Context, p piece) ([]byte, error) {
	seconds := func(t time.Time) string { return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', 3, 64) }
	form := url.Values{
		"query": {c.Query}, "start": {seconds(p.from)}, "end": {seconds(p.to)},
		"step": {strconv.FormatFloat(c.Step.Seconds(), 'f', -1, 64)},
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if c.TokenFile != "" {
		token, err := os.ReadFile(c.TokenFile)
		if err != nil {
			return nil, fmt.Errorf("reading the token: %w", err)
		}
		request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, mostBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the answer: %w", err)
	case len(body) > mostBytes:
		return nil, fmt.Errorf("the answer has more than %d bytes: ask for fewer series, with sum() for example", mostBytes)
	case response.StatusCode != http.StatusOK:
		return nil, refusal(response.StatusCode, body)
	}
	return body, nil
}

// refusal is what the server says is wrong.
func refusal(code int, body []byte) error {
	var said struct{ Error string }
	text := http.StatusText(code)
	if json.NewDecoder(bytes.NewReader(body)).Decode(&said) == nil && said.Error != "" {
		text = said.Error[:min(len(said.Error), 300)]
	}
	switch {
	case code == http.StatusTooManyRequests || code >= 500 && code != http.StatusNotImplemented:
		return fmt.Errorf("%w: %d, %s", errBusy, code, text)
	case code >= 300 && code < 400:
		return fmt.Errorf("the server redirects (%d): give the address it redirects to", code)
	}
	return fmt.Errorf("it answers %d: %s", code, text)
}
