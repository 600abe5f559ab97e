package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/tidemark/tidemark/internal/cli/listen"
)

// How long a caller may take, and how long one may go on while the server
// stops. A request takes at most 30 seconds by itself.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 15 * time.Second
	writeTimeout  = 45 * time.Second
	idleTimeout   = 2 * time.Minute
	stopTimeout   = 40 * time.Second
	maxHeader     = 64 << 10
)

// serve answers requests until the context ends, and then until those under
// way are answered.
func (o *options) serve(ctx context.Context, handler http.Handler, log *slog.Logger) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	scheme := "http"
	if o.cert != "" {
		scheme = "https"
		if listener, err = listen.Encrypted(ctx, listener, o.cert, o.key); err != nil {
			return err
		}
	}
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, HTTP2: &listen.HTTP2, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	log.Info("Serving", "address", scheme+"://"+listener.Addr().String())
	select {
	case err := <-served:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	log.Info("Stopping")
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := server.Shutdown(patience); err != nil {
		return fmt.Errorf("stopping: %w", err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving: %w", err)
	}
	return nil
}
