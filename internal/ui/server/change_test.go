package server

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// changer notes who changed what.
type changer struct{ done []string }

func (c *changer) Object(_ context.Context, token string, k feed.Key) (Object, error) {
	return Object{Spec: "of " + k.Namespace + " for " + token}, nil
}

func (c *changer) Change(_ context.Context, token string, k feed.Key, change Change) error {
	if change.Action == "no" {
		return Refusal{http.StatusConflict, "not now"}
	}
	c.done = append(c.done, token+" "+change.Action+" "+k.Namespace+"/"+k.Name)
	return nil
}

// post sends a change as a page does.
func post(t *testing.T, s *httptest.Server, who, body string, change func(*http.Request)) (int, string) {
	t.Helper()
	answer, text := ask(t, s, http.MethodPost, "/api/change", func(r *http.Request) {
		as(who)(r)
		r.Header.Set("Content-Type", "application/json")
		r.Body = io.NopCloser(strings.NewReader(body))
		if change != nil {
			change(r)
		}
	})
	return answer.StatusCode, text
}

// TestReadOnly: without a changer nothing is changed, whoever asks.
func TestReadOnly(t *testing.T) {
	_, s := start(t)
	if code, body := post(t, s, token, `{"namespace":"shop","name":"web","action":"pause"}`, nil); code != http.StatusForbidden || !strings.Contains(body, "--allow-changes") {
		t.Errorf("%d %s", code, body)
	}
	if answer, body := ask(t, s, http.MethodGet, "/api/object?namespace=shop&name=web", nil); answer.StatusCode != http.StatusForbidden {
		t.Errorf("%d %s", answer.StatusCode, body)
	}
}

// TestChange: a change is made with the token of the caller, of what the caller may
// see, and only if one of our pages sends it.
func TestChange(t *testing.T) {
	u := &users{sees: map[string][]string{"ann": {"a"}}}
	f := &fake{changed: make(chan struct{})}
	const pause = `{"namespace":"a","name":"web","action":"pause","version":"1"}`
	for name, c := range map[string]struct {
		who, body string
		change    func(*http.Request)
		want      int
		done      string
	}{
		"mine":            {"ann", pause, nil, http.StatusOK, "ann pause a/web"},
		"another's":       {"ann", strings.Replace(pause, `"a"`, `"b"`, 1), nil, http.StatusNotFound, ""},
		"a stranger's":    {"eve", pause, nil, http.StatusUnauthorized, ""},
		"refused":         {"ann", strings.Replace(pause, "pause", "no", 1), nil, http.StatusConflict, ""},
		"what is unknown": {"ann", `{"namespace":"a","names":"web"}`, nil, http.StatusBadRequest, ""},
		"and more":        {"ann", pause + pause, nil, http.StatusBadRequest, ""},
		"too much":        {"ann", `{"spec":"` + strings.Repeat("x", mostBody) + `"}`, nil, http.StatusBadRequest, ""},
		"a form":          {"ann", pause, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, http.StatusUnsupportedMediaType, ""},
		"from elsewhere":  {"ann", pause, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example.com") }, http.StatusForbidden, ""},
	} {
		t.Run(name, func(t *testing.T) {
			by := &changer{}
			s := httptest.NewServer(New(Options{Feed: f, Callers: u, Changer: by, Hosts: []string{"127.0.0.1"}, AnyPort: true, Log: slog.New(slog.DiscardHandler)}))
			defer s.Close()
			code, body := post(t, s, c.who, c.body, c.change)
			if code != c.want || strings.Join(by.done, ",") != c.done {
				t.Errorf("%d %s: %v", code, body, by.done)
			}
			if answer, body := ask(t, s, http.MethodGet, "/api/object?name=web&namespace=b", as(c.who)); answer.StatusCode == http.StatusOK {
				t.Errorf("the object of another: %s", body)
			}
		})
	}
}
