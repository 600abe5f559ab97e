package server

import (
	"bufio"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// users are callers whose token is their name, with the namespaces that they see.
type users struct {
	mu   sync.Mutex
	sees map[string][]string
	pods map[string]bool
	// gone are those whose token was taken back.
	gone map[string]bool
}

type user struct {
	*users
	name string
}

func (u *users) Caller(_ context.Context, token string) (Caller, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, known := u.sees[token]; !known || u.gone[token] {
		return nil, ErrStranger
	}
	return user{u, token}, nil
}

func (u *users) set(name string, sees ...string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.sees[name] = sees; sees == nil {
		u.sees[name] = []string{}
	}
}

func (u *users) drop(name string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.gone = map[string]bool{name: true}
}

func (u user) Name() string { return u.name }

func (u user) Sees(_ context.Context, namespace string) (bool, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, n := range u.sees[u.name] {
		if n == "unsure" {
			return false, ErrUnsure
		}
		if n == namespace {
			return true, nil
		}
	}
	return false, nil
}

func (u user) SeesPods(context.Context, string) (bool, error) { return u.pods[u.name], nil }

// named is a feed that has pods and documents, whose names tell where they are from.
type named struct{ fake }

func (n *named) Lanes(_ context.Context, k feed.Key, _ feed.Window) (feed.Lanes, error) {
	return feed.Lanes{Pods: []feed.Pod{{Name: "pod-of-" + k.Namespace}}, Marks: []feed.Mark{{Kind: feed.OutOfMemory, Words: "pod-of-" + k.Namespace}}}, nil
}

func (n *named) Decision(k feed.Key, _ time.Time) (feed.Decision, error) {
	return feed.Decision{Key: k, Pods: []feed.Pod{{Name: "pod-of-" + k.Namespace}}, Document: "doc pod-of-" + k.Namespace, Script: "script"}, nil
}

func startShared(t *testing.T) (*users, *named, *httptest.Server) {
	t.Helper()
	u := &users{sees: map[string][]string{"ann": {"a"}, "bob": {"b"}, "eve": {}, "lost": {"unsure"}}, pods: map[string]bool{"ann": true}}
	f := &named{fake{changed: make(chan struct{})}}
	f.set(feed.Row{Key: feed.Key{Namespace: "a", Name: "of-ann"}}, feed.Row{Key: feed.Key{Namespace: "b", Name: "of-bob"}})
	s := httptest.NewUnstartedServer(nil)
	s.Config.Handler = New(Options{Feed: f, Callers: u, Hosts: []string{"127.0.0.1"}, AnyPort: true, Log: slog.New(slog.DiscardHandler)})
	s.Start()
	t.Cleanup(s.Close)
	return u, f, s
}

func as(name string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+name) }
}

// TestNothingOfAnother: no answer to a caller has a word of a namespace that the
// caller may not see, and none names pods to who may not list them.
func TestNothingOfAnother(t *testing.T) {
	_, _, s := startShared(t)
	for name, c := range map[string]struct {
		who, path string
		want      int
		has, not  string
	}{
		"lanes of mine":             {"ann", "/api/lanes?namespace=a&name=of-ann", http.StatusOK, "pod-of-a", "of-b"},
		"lanes of another":          {"ann", "/api/lanes?namespace=b&name=of-bob", http.StatusNotFound, "no such workload", "of-b"},
		"decision of mine":          {"ann", "/api/decision?namespace=a&name=of-ann", http.StatusOK, "doc pod-of-a", "of-b"},
		"decision of another":       {"ann", "/api/decision?namespace=b&name=of-bob", http.StatusNotFound, "no such workload", "of-b"},
		"decision without pods":     {"bob", "/api/decision?namespace=b&name=of-bob", http.StatusOK, "You may not list the pods", "pod-of"},
		"lanes without pods":        {"bob", "/api/lanes?namespace=b&name=of-bob", http.StatusOK, "a pod ran out of memory", "pod-of"},
		"stream of who sees none":   {"eve", "/api/stream", http.StatusForbidden, "in any namespace", "of-"},
		"stream of a stranger":      {"mallory", "/api/stream", http.StatusUnauthorized, "kubectl create token", "of-"},
		"stream, nobody can tell":   {"lost", "/api/stream", http.StatusServiceUnavailable, "cannot be found out", "of-"},
		"decision, nobody can tell": {"lost", "/api/decision?namespace=a&name=of-ann", http.StatusServiceUnavailable, "cannot be found out", "of-"},
		"a token that is too long":  {strings.Repeat("x", mostTokens+1), "/api/stream", http.StatusUnauthorized, "wrong", "of-"},
	} {
		t.Run(name, func(t *testing.T) {
			answer, body := ask(t, s, http.MethodGet, c.path, as(c.who))
			if answer.StatusCode != c.want || !strings.Contains(body, c.has) || strings.Contains(body, c.not) {
				t.Errorf("%d: %s", answer.StatusCode, body)
			}
		})
	}
}

// streamOf opens the stream of a caller.
func streamOf(t *testing.T, s *httptest.Server, who string) (lines *bufio.Scanner, done func()) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/api/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	as(who)(r)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return bufio.NewScanner(answer.Body), func() { _ = answer.Body.Close() }
}

// TestRightsTakenBack: what is taken back goes from the stream, and with the last of
// it, or with the token, the stream itself.
func TestRightsTakenBack(t *testing.T) {
	for name, take := range map[string]func(*users){
		"the rights": func(u *users) { u.set("ann") },
		"the token":  func(u *users) { u.drop("ann") },
	} {
		t.Run(name, func(t *testing.T) {
			u, f, s := startShared(t)
			u.set("ann", "a", "b")
			lines, done := streamOf(t, s, "ann")
			defer done()
			if lines.Scan(); !strings.Contains(lines.Text(), "of-ann") || !strings.Contains(lines.Text(), "of-bob") {
				t.Fatal(lines.Text())
			}
			u.set("ann", "a")
			f.set(f.Fleet()...)
			if lines.Scan(); !strings.Contains(lines.Text(), `"gone":[{"namespace":"b","name":"of-bob"}]`) {
				t.Fatal(lines.Text())
			}
			take(u)
			f.set(f.Fleet()...)
			if lines.Scan() {
				t.Errorf("the stream goes on: %s", lines.Text())
			}
		})
	}
}

// TestShares: one caller's flood is not another's.
func TestShares(t *testing.T) {
	var sh shares
	asked := 0
	for range 100 * burst {
		if sh.ask("ann") {
			asked++
		}
	}
	// However slow the machine is, it is not a minute.
	if asked < burst || asked > burst+60*requests || !sh.ask("bob") {
		t.Errorf("ann asked %d times", asked)
	}
	for i := range streams {
		if !sh.open("ann") {
			t.Fatalf("stream %d is refused", i)
		}
	}
	if sh.open("ann") || !sh.open("bob") {
		t.Error("streams are not counted by caller")
	}
	sh.close("ann")
	if !sh.open("ann") {
		t.Error("a stream that has ended still counts")
	}
	for i := range 2 * mostCallers {
		sh.ask(strings.Repeat("x", i))
	}
	if len(sh.all) > mostCallers+2 {
		t.Errorf("%d callers are noted", len(sh.all))
	}
}

// TestNames: by which a server behind something else may be called.
func TestNames(t *testing.T) {
	s := &server{options: Options{Hosts: []string{"tidemark.example.com", "127.0.0.1"}, AnyPort: true, TLS: true}}
	for host, want := range map[string]bool{"tidemark.example.com": true, "tidemark.example.com:8443": true, "127.0.0.1:31234": true, "evil.com": false,
		"tidemark.example.com.evil.com": false, "": false} {
		t.Run(host, func(t *testing.T) {
			if got := s.named(host); got != want {
				t.Errorf("%v", got)
			}
			if got := s.own("https://" + host); got != want {
				t.Errorf("as an origin: %v", got)
			}
			if s.own("http://" + host) {
				t.Error("an origin without TLS")
			}
		})
	}
}

// TestHealth: a kubelet calls by an address, and learns nothing but that we live.
func TestHealth(t *testing.T) {
	_, _, s := startShared(t)
	answer, body := ask(t, s, http.MethodGet, "/healthz", func(r *http.Request) { r.Host = "10.1.2.3:8443"; r.Header.Del("Authorization") })
	if answer.StatusCode != http.StatusOK || body != "ok\n" {
		t.Errorf("%d %s", answer.StatusCode, body)
	}
}
