package operator

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

const (
	// askAgain is how often an API server that does not answer is asked.
	askAgain = time.Second
	// sayAgain is how often the log says so.
	sayAgain = 30 * time.Second
	// notYet is for how long an API server may refuse what everyone may ask. One
	// that has just started does not know yet who may do what.
	notYet = 30 * time.Second
)

// await waits until the API server answers. A controller that ended because the
// API server was away, as a leader does, would otherwise end again and again, and
// the kubelet would start it ever later, up to five minutes after the API server is
// back. Meanwhile it is alive, and not ready.
func await(ctx context.Context, api *rest.Config, health string, log logr.Logger) error {
	asked := rest.CopyConfig(api)
	asked.Timeout = 10 * time.Second
	client, err := discovery.NewDiscoveryClientForConfig(asked)
	if err != nil {
		return fmt.Errorf("setting up discovery: %w", err)
	}
	began := time.Now()
	if _, err = client.ServerGroups(); !away(err, began) {
		return nil // whatever is wrong, the manager says it
	}
	stop, err := aliveMeanwhile(health)
	if err != nil {
		return err
	}
	defer stop()
	var said time.Time
	for {
		_, err := client.ServerGroups()
		if !away(err, began) {
			log.Info("The API server answers")
			return nil
		}
		if time.Since(said) > sayAgain {
			log.Info("Waiting for the API server", "error", err.Error())
			said = time.Now()
		}
		select {
		case <-time.After(askAgain):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// away tells whether the API server gave no answer, or none that means anything
// about us, to whoever has asked since a moment.
func away(err error, since time.Time) bool {
	if apierrors.IsForbidden(err) {
		return time.Since(since) < notYet
	}
	return err != nil && !apierrors.IsUnauthorized(err) && !apierrors.IsNotFound(err)
}

// aliveMeanwhile serves the health checks until it is stopped.
func aliveMeanwhile(address string) (stop func(), err error) {
	if address == "0" || address == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("serving health checks at %s: %w", address, err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "the API server does not answer", http.StatusServiceUnavailable)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(listener) }() // it ends when it is stopped
	return func() { _ = server.Close() }, nil
}
