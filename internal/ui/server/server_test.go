package server

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// fake is a feed that is told what to say.
type fake struct {
	mu      sync.Mutex
	rows    []feed.Row
	changed chan struct{}
	speed   int
}

func (f *fake) About() feed.About { return feed.About{Source: "demo", Title: "a test"} }

func (f *fake) Fleet() []feed.Row {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.rows
}

func (f *fake) set(rows ...feed.Row) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rows = rows
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fake) Lanes(_ context.Context, k feed.Key, w feed.Window) (feed.Lanes, error) {
	if k.Name != "web" {
		return feed.Lanes{}, feed.ErrUnknown
	}
	return feed.Lanes{From: w.From, Columns: w.Columns}, nil
}

func (f *fake) Decision(k feed.Key, at time.Time) (feed.Decision, error) {
	if at.IsZero() {
		return feed.Decision{}, feed.ErrNoDecision
	}
	return feed.Decision{Key: k, At: at.UnixMilli()}, nil
}

func (f *fake) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

func (f *fake) SetSpeed(n int) { f.speed = n }

const token = "secret"

func start(t *testing.T) (*fake, *httptest.Server) {
	t.Helper()
	f := &fake{changed: make(chan struct{})}
	s := httptest.NewUnstartedServer(nil)
	s.Config.Handler = New(Options{Feed: f, Token: token, Hosts: []string{s.Listener.Addr().String()}, Log: slog.New(slog.DiscardHandler)})
	s.Start()
	t.Cleanup(s.Close)
	return f, s
}

// ask sends a request as a page does, and changes it first.
func ask(t *testing.T, s *httptest.Server, method, path string, change func(*http.Request)) (*http.Response, string) {
	t.Helper()
	// A stream that should have been refused would not end.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	if change != nil {
		change(r)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

// TestWhoMayAsk: data is for the token alone, by our own name, and from our own
// pages.
func TestWhoMayAsk(t *testing.T) {
	_, s := start(t)
	const lanes = "/api/lanes?namespace=shop&name=web"
	for name, c := range map[string]struct {
		path   string
		change func(*http.Request)
		want   int
	}{
		"with the token":       {lanes, nil, http.StatusOK},
		"without a token":      {lanes, func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusUnauthorized},
		"with another":         {lanes, func(r *http.Request) { r.Header.Set("Authorization", "Bearer secrets") }, http.StatusUnauthorized},
		"with an empty one":    {lanes, func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }, http.StatusUnauthorized},
		"by another name":      {lanes, func(r *http.Request) { r.Host = "evil.example.com" }, http.StatusMisdirectedRequest},
		"the page by another":  {"/", func(r *http.Request) { r.Host = "evil.example.com:80" }, http.StatusMisdirectedRequest},
		"from another page":    {lanes, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example.com") }, http.StatusForbidden},
		"from nowhere":         {lanes, func(r *http.Request) { r.Header.Set("Origin", "null") }, http.StatusForbidden},
		"from our page":        {lanes, func(r *http.Request) { r.Header.Set("Origin", s.URL) }, http.StatusOK},
		"from another site":    {lanes, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden},
		"from a sibling":       {lanes, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }, http.StatusForbidden},
		"the page of anyone":   {"/", func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusOK},
		"the stream of anyone": {"/api/stream", func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusUnauthorized},
		"who is not there":     {"/api/lanes?namespace=shop&name=none", nil, http.StatusNotFound},
		"what is not there":    {"/api/secrets", nil, http.StatusNotFound},
		"no such page":         {"/../go.mod", nil, http.StatusNotFound},
		"too many columns":     {lanes + "&columns=100000", nil, http.StatusBadRequest},
		"no number":            {lanes + "&from=now", nil, http.StatusBadRequest},
		"no decision":          {"/api/decision?namespace=shop&name=web", nil, http.StatusNotFound},
		"a decision":           {"/api/decision?namespace=shop&name=web&at=1000", nil, http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			answer, body := ask(t, s, http.MethodGet, c.path, c.change)
			if answer.StatusCode != c.want {
				t.Errorf("%d: %s", answer.StatusCode, body)
			}
			if got := answer.Header.Get("Content-Security-Policy"); !strings.HasPrefix(got, "default-src 'none'") || strings.Contains(got, "unsafe") {
				t.Errorf("the policy is %q", got)
			}
		})
	}
}

// TestTooMuch: who asks without a pause is told to wait.
func TestTooMuch(t *testing.T) {
	s := &server{limit: rate.NewLimiter(0, 2)}
	h := s.bounded(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for i, want := range []int{http.StatusOK, http.StatusOK, http.StatusTooManyRequests} {
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/lanes", nil)); w.Code != want {
			t.Errorf("request %d: %d, want %d", i, w.Code, want)
		}
	}
}

// TestStrangersTakeNothing: who has no token, or a wrong one, is refused as often as they
// ask, and who has one is answered meanwhile.
func TestStrangersTakeNothing(t *testing.T) {
	h := New(Options{Feed: all(), Token: token, Hosts: []string{"pages"}, Log: slog.New(slog.DiscardHandler)})
	ask := func(with string) int {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/api/lanes?name=web", nil)
		r.Host = "pages"
		r.Header.Set("Authorization", with)
		h.ServeHTTP(w, r)
		return w.Code
	}
	for i := range 20 * burst {
		if got := ask([]string{"", "Bearer guess"}[i%2]); got != http.StatusUnauthorized {
			t.Fatalf("stranger %d: %d", i, got)
		}
	}
	if got := ask("Bearer " + token); got != http.StatusOK {
		t.Errorf("who has the token: %d", got)
	}
}

// TestTheLogIsBounded: what anyone can cause is not logged each time.
func TestTheLogIsBounded(t *testing.T) {
	var text strings.Builder
	h := New(Options{Feed: all(), Callers: nobody{}, Hosts: []string{"pages"}, Log: slog.New(slog.NewTextHandler(&text, nil))})
	for range 100 {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/api/lanes?name=web", nil)
		r.Host = "pages"
		r.Header.Set("Authorization", "Bearer guess")
		if h.ServeHTTP(w, r); w.Code != http.StatusServiceUnavailable {
			t.Fatal(w.Code)
		}
	}
	// However slow the machine is, it is not minutes.
	if many := strings.Count(text.String(), "\n"); many < 1 || many > 30 {
		t.Errorf("%d lines", many)
	}
}

// nobody cannot be asked who has a token.
type nobody struct{}

func (nobody) Caller(context.Context, string) (Caller, error) { return nil, io.ErrUnexpectedEOF }

// TestTooManyStreams: those that are open go on, and one more is refused.
func TestTooManyStreams(t *testing.T) {
	s := &server{streams: make(chan struct{})}
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "/api/stream", nil)
	if s.stream(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, asking{one{}, token}))); w.Code != http.StatusServiceUnavailable {
		t.Errorf("%d", w.Code)
	}
}

// TestSpeed takes a number and nothing else.
func TestSpeed(t *testing.T) {
	f, s := start(t)
	for body, want := range map[string]int{`{"speed": 600}`: http.StatusOK, `{"sped": 1}`: http.StatusBadRequest, `{}`: http.StatusBadRequest,
		`{"speed": "` + strings.Repeat("1", mostBody) + `"}`: http.StatusBadRequest} {
		t.Run(body[:min(len(body), 20)], func(t *testing.T) {
			answer, text := ask(t, s, http.MethodPost, "/api/speed", func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(body)) })
			if answer.StatusCode != want {
				t.Errorf("%d %s", answer.StatusCode, text)
			}
		})
	}
	if f.speed != 600 {
		t.Errorf("the speed is %d", f.speed)
	}
}

func row(name string, replicas int32) feed.Row {
	return feed.Row{Key: feed.Key{Namespace: "shop", Name: name}, Replicas: replicas}
}

// TestStream: first everything, then what changed and what is gone.
func TestStream(t *testing.T) {
	f, s := start(t)
	f.set(row("a", 1), row("b", 1))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/api/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	next := func() (out struct {
		Rows []feed.Row
		Gone []feed.Key
	}) {
		t.Helper()
		if !lines.Scan() {
			t.Fatal(lines.Err())
		}
		if err := json.Unmarshal(lines.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	if first := next(); len(first.Rows) != 2 || len(first.Gone) != 0 {
		t.Errorf("%+v", first)
	}
	f.set(row("b", 2))
	if second := next(); len(second.Rows) != 1 || second.Rows[0].Replicas != 2 || len(second.Gone) != 1 || second.Gone[0].Name != "a" {
		t.Errorf("%+v", second)
	}
}

// TestALargeFleet comes in several lines, each row once.
func TestALargeFleet(t *testing.T) {
	f := &fake{changed: make(chan struct{})}
	for i := range 2*most + 1 {
		f.rows = append(f.rows, row(strconv.Itoa(i), 1))
	}
	told, texts := &told{}, &written{}
	var sizes []int
	tell := func() {
		sizes = nil
		texts.at = time.Time{}
		rows, _, err := texts.of(f)
		if err != nil {
			t.Fatal(err)
		}
		send := func(n news) error { sizes = append(sizes, len(n.Rows)); return nil }
		if err := told.tell(&shown{feed: f, caller: one{}, ctx: t.Context()}, rows, send); err != nil {
			t.Fatal(err)
		}
	}
	if tell(); !slices.Equal(sizes, []int{most, most, 1}) {
		t.Errorf("%v", sizes)
	}
	f.rows[7].Replicas = 2
	if tell(); !slices.Equal(sizes, []int{1}) {
		t.Errorf("%v", sizes)
	}
	if tell(); !slices.Equal(sizes, []int{0}) {
		t.Errorf("%v", sizes)
	}
}
