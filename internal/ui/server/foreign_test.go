package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// desks note who asks for the objects of others, and for which namespaces.
type desks struct{ asked string }

func (d *desks) Of(token string, namespaces []string) (feed.Migrates, error) {
	d.asked = token + ": " + strings.Join(slices.Sorted(slices.Values(namespaces)), " ")
	return &whole{}, nil
}

// TestForeignOfCallers: what is shared is read with the token of who asks, in the
// namespaces that they see, and in one that they name.
func TestForeignOfCallers(t *testing.T) {
	u, d := &users{sees: map[string][]string{"ann": {"a"}}}, &desks{}
	f := all()
	f.set(feed.Row{Key: feed.Key{Namespace: "a", Name: "x"}}, feed.Row{Key: feed.Key{Namespace: "b", Name: "y"}})
	s := httptest.NewServer(New(Options{Feed: f, Callers: u, Foreign: d, Hosts: []string{"127.0.0.1"}, AnyPort: true, Log: slog.New(slog.DiscardHandler)}))
	defer s.Close()
	for path, want := range map[string]string{"/api/foreign": "a", "/api/foreign?namespace=c": "a c"} {
		t.Run(path, func(t *testing.T) {
			answer, body := ask(t, s, http.MethodGet, path, as("ann"))
			if answer.StatusCode != http.StatusOK || !strings.HasSuffix(d.asked, ": "+want) || strings.HasPrefix(d.asked, ":") {
				t.Errorf("%d %s, asked for %q", answer.StatusCode, body, d.asked)
			}
		})
	}
}

// crowded is a caller of whom several things must be asked at once.
type crowded struct {
	one
	all sync.WaitGroup
}

func (c *crowded) Sees(context.Context, string) (bool, error) {
	c.all.Done()
	c.all.Wait()
	return true, nil
}

// TestQuestionsAreAskedAtOnce: who may see some of many namespaces does not wait for one
// answer after another: here no answer comes before all questions are asked.
func TestQuestionsAreAskedAtOnce(t *testing.T) {
	c := &crowded{}
	c.all.Add(questions)
	rows := make([]*rowText, questions)
	for i := range rows {
		rows[i] = &rowText{Key: feed.Key{Namespace: string(rune('a' + i)), Name: "web"}}
	}
	got, err := (&shown{caller: c, ctx: t.Context()}).rows(rows)
	if err != nil || len(got) != questions {
		t.Errorf("%d rows, %v", len(got), err)
	}
}
