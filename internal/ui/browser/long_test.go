//go:build browser

package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"

	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/server"
	"github.com/tidemark/tidemark/internal/ui/web"
)

// day is a server whose stream says as fast as it can what another takes a day for:
// half of the lines, and then the other half when it is told to go on.
func day(t *testing.T, lines int) (s *site, goOn chan<- struct{}) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	next := make(chan struct{})
	mux := http.NewServeMux()
	mux.Handle("/", web.Handler())
	mux.HandleFunc("/api/stream", func(w http.ResponseWriter, r *http.Request) {
		out := json.NewEncoder(w)
		for half := range 2 {
			for i := range lines {
				rows := make([]feed.Row, 50)
				for n := range rows {
					key := feed.Key{Namespace: "shop", Name: fmt.Sprintf("w-%d", (i*7+n)%200)}
					rows[n] = feed.Row{Key: key, Replicas: int32(i % 9), Headline: fmt.Sprint("line ", i), Needs: []feed.Need{}}
				}
				_ = out.Encode(map[string]any{"about": feed.About{Source: "cluster", Title: "a day", Now: int64(i)}, "rows": rows})
			}
			_ = out.Encode(map[string]any{"about": feed.About{Source: "cluster", Title: fmt.Sprint("half ", half)}})
			_ = http.NewResponseController(w).Flush()
			select {
			case <-next:
			case <-r.Context().Done():
				return
			}
		}
	})
	h := &http.Server{Handler: mux, ReadHeaderTimeout: patience}
	go func() { _ = h.Serve(listener) }()
	t.Cleanup(func() { _ = h.Close() })
	return &site{host: listener.Addr().String(), token: "x"}, next
}

// heap is what the page has in use, in bytes, when all garbage is gone.
func (b *tab) heap() int {
	b.t.Helper()
	for range 3 {
		command(b, heapprofiler.CollectGarbage, cdp.Empty{})
	}
	n, err := strconv.Atoi(b.eval(`performance.memory.usedJSHeapSize`))
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// TestLeftOpen: a page that has been told the news of a day holds no more than after
// half of it.
func TestLeftOpen(t *testing.T) {
	const lines = 5_000
	s, goOn := day(t, lines)
	b := open(t, s, s.address(""), 1280, 800)
	b.until(`document.querySelector("#about").textContent === "half 0"`)
	before := b.heap()
	goOn <- struct{}{}
	b.until(`document.querySelector("#about").textContent === "half 1"`)
	after := b.heap()
	// A leak of a hundred bytes for each of the quarter of a million rows would be 25 MB.
	if t.Logf("%d KiB after %d lines, %d KiB after %d", before>>10, lines, after>>10, 2*lines); after > before+(8<<20) {
		t.Errorf("the page grew from %d to %d KiB", before>>10, after>>10)
	}
}

// users are callers whose token is their name, each of whom sees one namespace until
// it is taken back.
type users struct {
	mu   sync.Mutex
	sees map[string]string
}

func (u *users) Caller(_ context.Context, token string) (server.Caller, error) {
	return user{u, token}, nil
}

type user struct {
	*users
	name string
}

func (u user) Name() string { return u.name }

func (u user) Sees(_ context.Context, namespace string) (bool, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.sees[u.name] == namespace, nil
}

func (u user) SeesPods(ctx context.Context, namespace string) (bool, error) {
	return u.Sees(ctx, namespace)
}

// turning is a feed that says again and again that something has changed.
type turning struct{ many }

func (t *turning) Changed() <-chan struct{} {
	done := make(chan struct{})
	time.AfterFunc(100*time.Millisecond, func() { close(done) })
	return done
}

// TestRevoked: a page shows what its caller may see, and nothing any more once that
// is taken back.
func TestRevoked(t *testing.T) {
	t.Parallel()
	f := &turning{}
	for _, key := range []feed.Key{{Namespace: "a", Name: "web"}, {Namespace: "b", Name: "db"}} {
		f.rows = append(f.rows, feed.Row{Key: key, Needs: []feed.Need{}})
	}
	u := &users{sees: map[string]string{"ann": "a"}}
	s := serveTo(t, "127.0.0.1:0", server.Options{Feed: f, Callers: u})
	s.token = "ann"
	b := open(t, s, s.address(""), 1024, 700)
	b.until(`document.querySelectorAll("tbody tr[data-id]").length === 1`)
	b.is(names, "a/web")
	b.expect("403")
	u.mu.Lock()
	u.sees["ann"] = ""
	u.mu.Unlock()
	b.until(`document.querySelectorAll("tbody tr[data-id]").length === 0 && document.querySelector("#problem").textContent.includes("in any namespace")`)
	b.accessible()
	u.mu.Lock()
	u.sees["ann"] = "a"
	u.mu.Unlock()
	b.until(`document.querySelectorAll("tbody tr[data-id]").length === 1 && document.querySelector("#problem").textContent === ""`)
}
