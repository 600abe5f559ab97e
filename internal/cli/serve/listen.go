package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
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

// What a connection may make the server hold before anyone looks at it. Go's
// own bounds are a megabyte for each.
var http2 = http.HTTP2Config{
	MaxConcurrentStreams: 50, MaxReadFrameSize: 16 << 10, MaxReceiveBufferPerConnection: 64 << 10, MaxReceiveBufferPerStream: 64 << 10,
}

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
		if listener, err = o.encrypt(ctx, listener); err != nil {
			return err
		}
	}
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, HTTP2: &http2, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
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

// encrypt puts TLS before a listener. The certificate is read again when its
// file changes, because certificates are renewed while servers run.
func (o *options) encrypt(ctx context.Context, plain net.Listener) (net.Listener, error) {
	watcher, err := certwatcher.New(o.cert, o.key)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("reading the certificate: %w", err), plain.Close())
	}
	go func() {
		// It ends with the context; until then it tells its errors itself.
		_ = watcher.Start(ctx)
	}()
	config := &tls.Config{GetCertificate: watcher.GetCertificate, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
	return tls.NewListener(plain, config), nil
}
