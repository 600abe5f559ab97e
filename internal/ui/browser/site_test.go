//go:build browser

package browser

import (
	"log/slog"
	"net"
	"net/http"
	"testing"

	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/server"
	"github.com/tidemark/tidemark/internal/ui/town"
)

// site is a server of a feed.
type site struct {
	host, token string
	stop        func()
}

// address is that of a page, with the token.
func (s *site) address(page string) string {
	to := ""
	if page != "" {
		to = "&to=" + page
	}
	return "http://" + s.host + "/#token=" + s.token + to
}

// serve serves a feed at a free port, or at the given address.
func serve(t *testing.T, f feed.Feed, at, token string) *site {
	t.Helper()
	return serveTo(t, at, server.Options{Feed: f, Token: token})
}

// serveTo serves with all that can be said.
func serveTo(t *testing.T, at string, o server.Options) *site {
	t.Helper()
	listener, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{host: listener.Addr().String(), token: o.Token}
	o.Hosts, o.Log = []string{s.host}, slog.New(slog.DiscardHandler)
	h := &http.Server{Handler: server.New(o), ReadHeaderTimeout: patience}
	go func() { _ = h.Serve(listener) }()
	s.stop = func() { _ = h.Close() }
	t.Cleanup(s.stop)
	return s
}

// demo is the town, whose clock stands still at the moment one first sees it.
func demo(t *testing.T) *site {
	t.Helper()
	f, err := town.New()
	if err != nil {
		t.Fatal(err)
	}
	f.SetSpeed(0)
	go f.Live(t.Context())
	return serve(t, f, "127.0.0.1:0", "secret")
}
