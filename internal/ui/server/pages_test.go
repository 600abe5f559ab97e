package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// whole is a feed that can be asked everything.
type whole struct{ fake }

var _ feed.Tries = (*whole)(nil)

func all() *whole { return &whole{fake{changed: make(chan struct{})}} }

func (w *whole) known(k feed.Key) error {
	if k.Name != "web" {
		return feed.ErrUnknown
	}
	return nil
}

func (w *whole) Object(_ context.Context, k feed.Key) (feed.Object, error) {
	return feed.Object{YAML: "a: 1"}, w.known(k)
}

func (w *whole) Try(_ context.Context, e feed.Edit, tell func(any) error) error {
	if err := w.known(e.Key); err != nil {
		return err
	}
	if err := tell(map[string]string{"first": e.YAML}); err != nil {
		return err
	}
	if e.YAML == "broken" {
		return errors.New("it broke")
	}
	return tell(map[string]int{"second": 2})
}

func (w *whole) Tune(ctx context.Context, e feed.Edit, tell func(any) error) error {
	return w.Try(ctx, e, tell)
}

func (w *whole) Why(_ context.Context, e feed.Edit, at int64) (feed.Decision, error) {
	return feed.Decision{At: at, Headline: e.YAML}, w.known(e.Key)
}

func (w *whole) Recommend(e feed.Edit) (feed.Recommended, error) {
	return feed.Recommended{YAML: e.YAML, Spec: "mode: Recommend"}, w.known(e.Key)
}

func (w *whole) Learned(_ context.Context, k feed.Key) (feed.Learned, error) {
	return feed.Learned{Phase: "Gathering"}, w.known(k)
}
func (w *whole) Foreign(context.Context) (feed.Foreign, error) {
	return feed.Foreign{Notes: []string{"none"}}, nil
}

func (w *whole) Move(_ context.Context, id string) (feed.Move, error) {
	return feed.Move{Words: id}, w.known(feed.Key{Name: id})
}

// TestOtherPages: what pages ask beside the fleet, of a feed that knows it and of one
// that does not.
func TestOtherPages(t *testing.T) {
	some := httptest.NewServer(New(Options{Feed: all(), Token: token, Hosts: []string{"127.0.0.1"}, AnyPort: true, Log: slog.New(slog.DiscardHandler)}))
	defer some.Close()
	_, none := start(t)
	const key, edit = "?namespace=shop&name=web", `{"namespace": "shop", "name": "web", "yaml": "x", "at": 5}`
	for name, c := range map[string]struct {
		method, path, body string
		want               int
		has                string
	}{
		"the object":        {http.MethodGet, "/api/whatif" + key, "", http.StatusOK, `"yaml":"a: 1"`},
		"another's":         {http.MethodGet, "/api/whatif?name=none", "", http.StatusNotFound, "no such workload"},
		"a try":             {http.MethodPost, "/api/try", edit, http.StatusOK, "{\"first\":\"x\"}\n{\"second\":2}\n"},
		"a try of another":  {http.MethodPost, "/api/try", `{"name": "none"}`, http.StatusNotFound, "no such workload"},
		"a try that breaks": {http.MethodPost, "/api/try", `{"name": "web", "yaml": "broken"}`, http.StatusOK, "{\"first\":\"broken\"}\n{\"error\":\"it broke\"}\n"},
		"no edit":           {http.MethodPost, "/api/try", `{"names": "web"}`, http.StatusBadRequest, "64 KiB"},
		"an edit and more":  {http.MethodPost, "/api/try", edit + edit, http.StatusBadRequest, "64 KiB"},
		"too much":          {http.MethodPost, "/api/try", `{"yaml": "` + strings.Repeat("x", mostBody) + `"}`, http.StatusBadRequest, "64 KiB"},
		"a search":          {http.MethodPost, "/api/tune", edit, http.StatusOK, `"second"`},
		"why":               {http.MethodPost, "/api/why", edit, http.StatusOK, `"at":5`},
		"as Recommend":      {http.MethodPost, "/api/recommend", edit, http.StatusOK, `"yaml":"x","spec":"mode: Recommend"`},
		"learned":           {http.MethodGet, "/api/learned" + key, "", http.StatusOK, "Gathering"},
		"learned, another":  {http.MethodGet, "/api/learned?name=none", "", http.StatusNotFound, "no such workload"},
		"foreign":           {http.MethodGet, "/api/foreign", "", http.StatusOK, "none"},
		"one of them":       {http.MethodGet, "/api/foreign?id=web", "", http.StatusOK, `"words":"web"`},
		"none of them":      {http.MethodGet, "/api/foreign?id=none", "", http.StatusNotFound, "no such workload"},
	} {
		t.Run(name, func(t *testing.T) {
			send := func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(c.body)) }
			answer, body := ask(t, some, c.method, c.path, send)
			if answer.StatusCode != c.want || !strings.Contains(body, c.has) {
				t.Errorf("%d: %s", answer.StatusCode, body)
			}
			if answer, body := ask(t, none, c.method, c.path, send); answer.StatusCode != http.StatusConflict && answer.StatusCode != http.StatusBadRequest {
				t.Errorf("of a feed that cannot: %d: %s", answer.StatusCode, body)
			}
			answer, body = ask(t, some, c.method, c.path, func(r *http.Request) { send(r); r.Header.Del("Authorization") })
			if answer.StatusCode != http.StatusUnauthorized {
				t.Errorf("without a token: %d: %s", answer.StatusCode, body)
			}
		})
	}
}

// TestOtherPagesOfAnother: these answer nothing of a namespace that the caller may not
// see either, and nothing at all that is not read with the caller's rights.
func TestOtherPagesOfAnother(t *testing.T) {
	u := &users{sees: map[string][]string{"ann": {"a"}}}
	s := httptest.NewServer(New(Options{Feed: all(), Callers: u, Hosts: []string{"127.0.0.1"}, AnyPort: true, Log: slog.New(slog.DiscardHandler)}))
	defer s.Close()
	for name, c := range map[string]struct {
		method, path, body string
		mine, another      int
	}{
		"the object": {http.MethodGet, "/api/whatif?name=web&namespace=NS", "", http.StatusOK, http.StatusNotFound},
		"a try":      {http.MethodPost, "/api/try", `{"name": "web", "namespace": "NS"}`, http.StatusOK, http.StatusNotFound},
		"a search":   {http.MethodPost, "/api/tune", `{"name": "web", "namespace": "NS"}`, http.StatusOK, http.StatusNotFound},
		"why":        {http.MethodPost, "/api/why", `{"name": "web", "namespace": "NS"}`, http.StatusOK, http.StatusNotFound},
		"Recommend":  {http.MethodPost, "/api/recommend", `{"name": "web", "namespace": "NS"}`, http.StatusOK, http.StatusNotFound},
		"learned":    {http.MethodGet, "/api/learned?name=web&namespace=NS", "", http.StatusOK, http.StatusNotFound},
		"foreign":    {http.MethodGet, "/api/foreign?ns=NS", "", http.StatusConflict, http.StatusConflict},
	} {
		t.Run(name, func(t *testing.T) {
			for namespace, want := range map[string]int{"a": c.mine, "b": c.another} {
				answer, body := ask(t, s, c.method, strings.Replace(c.path, "NS", namespace, 1), func(r *http.Request) {
					as("ann")(r)
					r.Body = io.NopCloser(strings.NewReader(strings.Replace(c.body, "NS", namespace, 1)))
				})
				if answer.StatusCode != want {
					t.Errorf("%s: %d %s", namespace, answer.StatusCode, body)
				}
			}
		})
	}
}

// TestWhoGoesIsNotWaitedFor: a replay ends with whoever asked for it.
func TestWhoGoesIsNotWaitedFor(t *testing.T) {
	turns := make(chan struct{}, 1)
	turns <- struct{}{}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if turn(ctx, turns) {
		t.Error("there is no room, and still it is a turn")
	}
}
