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

	"github.com/tidemark/tidemark/api/v1alpha1"
)

const (
	// askAgain is how often an API server that does not answer is asked.
	askAgain = time.Second
	// sayAgain is how often the log says so.
	sayAgain = 30 * time.Second
	// notYet is for how long an API server that answers may refuse what everyone may
	// ask, or not know our kinds. One that has just started does not know yet who may
	// do what, and serves the definitions it stores a moment later.
	notYet = 30 * time.Second
)

// await waits until the API server answers and serves our kinds. A controller that
// ended because the API server was away, as a leader does, would otherwise end again
// and again, and the kubelet would start it ever later, up to five minutes after the
// API server is back. Meanwhile it is alive, and not ready.
func await(ctx context.Context, api *rest.Config, health string, log logr.Logger) error {
	asked := rest.CopyConfig(api)
	asked.Timeout = 10 * time.Second
	client, err := discovery.NewDiscoveryClientForConfig(asked)
	if err != nil {
		return fmt.Errorf("setting up discovery: %w", err)
	}
	var answers awaited
	if !answers.away(serves(client), time.Now()) {
		return nil // whatever is wrong, the manager says it
	}
	stop, err := aliveMeanwhile(health)
	if err != nil {
		return err
	}
	defer stop()
	var said time.Time
	for {
		err := serves(client)
		if !answers.away(err, time.Now()) {
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

// serves asks the API server for our kinds.
func serves(client *discovery.DiscoveryClient) error {
	_, err := client.ServerResourcesForGroupVersion(v1alpha1.GroupVersion.String())
	return err
}

// awaited is an API server that is waited for, and since when it answers.
type awaited struct{ since time.Time }

// away tells whether the API server gave no answer, or none yet that means anything
// about us.
func (a *awaited) away(err error, now time.Time) bool {
	switch {
	case err == nil, apierrors.IsUnauthorized(err):
		return false
	case apierrors.IsForbidden(err), apierrors.IsNotFound(err):
		if a.since.IsZero() {
			a.since = now
		}
		return now.Sub(a.since) < notYet
	}
	a.since = time.Time{}
	return true
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
