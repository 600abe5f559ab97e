package operator

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// TestWhatAHangingLookTells asks the manager's own server. /healthz fails and keeps the
// reason to itself, /healthz/looks names the look, and so does the log, once.
func TestWhatAHangingLookTells(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	var logged atomic.Int32
	log := funcr.New(func(_, line string) {
		if strings.Contains(line, "the look at shop/web has not ended for 5m1s") && strings.Contains(line, "Not healthy any more") {
			logged.Add(1)
		}
	}, funcr.Options{})
	mgr, err := ctrl.NewManager(&rest.Config{Host: "127.0.0.1:1"}, ctrl.Options{
		Logger: log, HealthProbeBindAddress: address, Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var hangs atomic.Bool
	if err := addHealth(mgr, func(*http.Request) error {
		if hangs.Load() {
			return errors.New("the look at shop/web has not ended for 5m1s")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	ask := func(path string) (int, string) {
		for {
			answer, err := http.Get("http://" + address + path)
			if err != nil {
				time.Sleep(time.Millisecond)
				continue
			}
			text, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			return answer.StatusCode, string(text)
		}
	}
	if code, text := ask("/healthz"); code != http.StatusOK || logged.Load() != 0 {
		t.Errorf("while looks end /healthz answers %d %q, and %d lines are logged", code, text, logged.Load())
	}
	hangs.Store(true)
	if code, text := ask("/healthz"); code != http.StatusInternalServerError || strings.Contains(text, "shop/web") || !strings.Contains(text, "[-]looks failed") {
		t.Errorf("/healthz answers %d %q", code, text)
	}
	if code, text := ask("/healthz/looks"); code != http.StatusInternalServerError || !strings.Contains(text, "the look at shop/web has not ended for 5m1s") {
		t.Errorf("/healthz/looks answers %d %q", code, text)
	}
	if got := logged.Load(); got != 1 {
		t.Errorf("the log says it %d times within a minute, want once", got)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestHowOftenTheLogSaysIt: once in a while, for as long as the check fails.
func TestHowOftenTheLogSaysIt(t *testing.T) {
	lines := 0
	log := funcr.New(func(_, _ string) { lines++ }, funcr.Options{})
	s := &saying{check: func(*http.Request) error { return errors.New("hangs") }, log: log, every: time.Hour}
	for range 3 {
		if s.Check(nil) == nil {
			t.Fatal("the failure is lost")
		}
	}
	s.last = s.last.Add(-time.Hour)
	_ = s.Check(nil) // what it says was looked at above
	if lines != 2 {
		t.Errorf("%d lines, want one at first and one an hour later", lines)
	}
}
