//go:build e2e

package e2e

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestAnOldLeaderWritesNothing: a leader is paused between two requests of one
// change, another one takes over, and the old one goes on. It has all it needs to
// finish the change, and must not.
func TestAnOldLeaderWritesNothing(t *testing.T) {
	alone(t)
	old, next := gateOf(t), gateOf(t)
	p := newPlace(t)
	p.queue("20")
	p.workload("web", 2)
	p.autoscaler("web", byQueue)
	first, err := newController(t.TempDir(), options{through: old})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(first.Kill)
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
	startController(t, options{through: next})

	// The new leader cannot scale, so the old one would find the count it knows.
	const held = 20 * time.Second
	next.disturb(p.name, func(r *http.Request) (int, time.Duration) {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/scale") {
			return http.StatusInternalServerError, 0
		}
		return 0, 0
	})
	asked, once := make(chan struct{}), sync.Once{}
	old.disturb(p.name, func(r *http.Request) (int, time.Duration) {
		if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/scale") {
			once.Do(func() { close(asked) })
			return 0, held
		}
		return 0, 0
	})
	leader := holder(t, "tidemark-controller")
	p.queue("40")
	select {
	case <-asked:
	case <-time.After(patience):
		t.Fatal("nothing is scaled")
	}
	if err := first.Pause(); err != nil {
		t.Fatal(err)
	}
	answered := time.Now().Add(held)
	eventually(t, patience, func() error { return succeeded(t, leader) })
	time.Sleep(time.Until(answered))
	if err := first.Resume(); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, func() error {
		if first.Ended() == nil {
			return errors.New("the old leader runs on")
		}
		return nil
	})
	for what, n := range old.of(p.name) {
		if strings.HasPrefix(what, http.MethodPut) && strings.HasSuffix(what, "/scale") {
			t.Errorf("the old leader wrote %d times: %s", n, what)
		}
	}
	if text := first.Log(); !strings.Contains(text, "another controller may lead by now") {
		t.Errorf("nothing of it is logged:\n%s", text)
	}
	next.disturb(p.name, nil)
	p.eventuallyHas("web", 4)
}

// gateOf makes a gate that is closed with the test.
func gateOf(t *testing.T) *gate {
	t.Helper()
	g, err := newGate(world.Config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.server.CloseClientConnections)
	return g
}
