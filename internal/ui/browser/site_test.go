//go:build browser

package browser

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

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
	s, err := start(at, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	return s
}

// start serves until it is stopped.
func start(at string, o server.Options) (*site, error) {
	listener, err := net.Listen("tcp", at)
	if err != nil {
		return nil, err
	}
	s := &site{host: listener.Addr().String(), token: o.Token}
	o.Hosts, o.Log = []string{s.host}, slog.New(slog.DiscardHandler)
	h := &http.Server{Handler: server.New(o), ReadHeaderTimeout: patience}
	go func() { _ = h.Serve(listener) }()
	s.stop = func() { _ = h.Close() }
	return s, nil
}

// The towns are there for all tests: their past takes seconds. In one the clock stands
// still at the moment one first sees it, in the other ten minutes pass in a second.
var still, goesOn = sync.OnceValues(func() (*site, error) { return townAt(0) }), sync.OnceValues(func() (*site, error) { return townAt(600) })

// townAt is a town that has lived through its past, and goes on at a speed.
func townAt(speed int) (*site, error) {
	f, err := town.New()
	if err != nil {
		return nil, err
	}
	f.SetSpeed(0)
	go f.Live(context.Background())
	for lived(f) < past {
		time.Sleep(20 * time.Millisecond)
	}
	f.SetSpeed(speed)
	return start("127.0.0.1:0", server.Options{Feed: f, Token: "secret"})
}

// past is how many decisions each workload of the town has made when one first sees it:
// one every 15 seconds, for a week and a morning.
const past = (7*24+9)*240 + 1

// lived is how many decisions every workload has made.
func lived(f *town.Town) int {
	least := past
	for _, row := range f.Fleet() {
		lanes, err := f.Lanes(context.Background(), row.Key, feed.Window{Columns: 1})
		if err != nil {
			return 0
		}
		least = min(least, lanes.Points)
	}
	return least * min(1, len(f.Fleet()))
}

// demo is the town that stands still.
func demo(t *testing.T) *site { return shared(t, still) }

// running is the town that goes on.
func running(t *testing.T) *site { return shared(t, goesOn) }

func shared(t *testing.T, of func() (*site, error)) *site {
	t.Helper()
	s, err := of()
	if err != nil {
		t.Fatal(err)
	}
	return s
}
