package operator

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

// TestAwait: a controller that starts while the API server is away waits for it,
// is alive meanwhile and not ready, and gives the address of its health checks
// back. One that is refused does not wait.
func TestAwait(t *testing.T) {
	var status atomic.Int32
	status.Store(http.StatusBadGateway)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(int(status.Load()))
		fmt.Fprint(w, `{}`)
	}))
	defer server.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	health := free.Addr().String()
	free.Close()
	done := make(chan error, 1)
	go func() { done <- await(t.Context(), &rest.Config{Host: server.URL}, health, logr.Discard()) }()
	code := func(path string) int {
		for {
			answer, err := http.Get("http://" + health + path)
			if err == nil {
				answer.Body.Close()
				return answer.StatusCode
			}
			time.Sleep(time.Millisecond)
		}
	}
	if alive, ready := code("/healthz"), code("/readyz"); alive != http.StatusOK || ready != http.StatusServiceUnavailable {
		t.Errorf("while it waits: /healthz answers %d, /readyz %d", alive, ready)
	}
	// One that has just started does not know who may do what.
	status.Store(http.StatusForbidden)
	select {
	case err := <-done:
		t.Fatalf("it does not wait for an API server that knows nobody yet: %v", err)
	case <-time.After(3 * askAgain / 2):
	}
	status.Store(http.StatusOK)
	if err := <-done; err != nil {
		t.Errorf("once the API server answers: %v", err)
	}
	again, err := net.Listen("tcp", health)
	if err != nil {
		t.Fatalf("the address of the health checks is not free: %v", err)
	}
	again.Close()
	status.Store(http.StatusUnauthorized)
	if err := await(t.Context(), &rest.Config{Host: server.URL}, health, logr.Discard()); err != nil {
		t.Errorf("when it is refused: %v, want the manager to say it", err)
	}
	status.Store(http.StatusServiceUnavailable)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := await(stopped, &rest.Config{Host: server.URL}, "0", logr.Discard()); err == nil {
		t.Error("a stopped controller waits on")
	}
}

// TestAnAPIServerThatHasJustStarted: how long it was away before says nothing about
// how long it needs to know who may do what, and which kinds there are. One that says
// so for long means it, and the manager tells.
func TestAnAPIServerThatHasJustStarted(t *testing.T) {
	refused := apierrors.NewForbidden(schema.GroupResource{}, "", errors.New("nobody is known"))
	unknown := apierrors.NewNotFound(schema.GroupResource{}, "")
	gone := errors.New("connection refused")
	began := time.Now()
	var a awaited
	for _, s := range []struct {
		after time.Duration
		err   error
		away  bool
	}{
		{0, gone, true},
		{10 * time.Minute, refused, true},
		{10*time.Minute + notYet/2, unknown, true},
		{10*time.Minute + notYet, unknown, false},
		{11 * time.Minute, gone, true},
		{12 * time.Minute, unknown, true},
		{12 * time.Minute, apierrors.NewUnauthorized("no"), false},
		{12*time.Minute + 1, nil, false},
	} {
		t.Run(fmt.Sprint(s.after, s.err), func(t *testing.T) {
			if away := a.away(s.err, began.Add(s.after)); away != s.away {
				t.Errorf("away: %t, want %t", away, s.away)
			}
		})
	}
}
