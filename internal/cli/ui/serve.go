package ui

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/server"
)

// How long a caller may take. A stream sets the time of each of its lines itself.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 15 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 16 << 10
)

// loopback refuses to listen where others could connect: what is read would cross
// their network as it is.
func loopback(listen string) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("--listen must be HOST:PORT, got %q", listen)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("--listen %s is open to others: listen on 127.0.0.1, and let them reach it through ssh", listen)
	}
	return nil
}

// serve serves pages until the context ends.
func serve(ctx context.Context, out io.Writer, listen string, shown feed.Feed, log *slog.Logger) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", listen)
	if err != nil {
		return fmt.Errorf("listening: %w (--listen 127.0.0.1:0 takes any port that is free)", err)
	}
	token := rand.Text()
	address, hosts := names(listener.Addr())
	handler := server.New(server.Options{Feed: shown, Token: token, Hosts: hosts, Log: log})
	s := &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn), BaseContext: func(net.Listener) context.Context { return ctx },
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(listener) }()
	fmt.Fprintf(out, "Open http://%s/#token=%s\nWhoever has this address sees what you see; it is good until the program ends.\n", address, token)
	select {
	case err := <-served:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	// Streams end with the context, and nothing else takes long.
	_ = s.Close()
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving: %w", err)
	}
	return nil
}

// names are how the server is called: the address to print, and all that are right.
func names(at net.Addr) (address string, hosts []string) {
	port := strconv.Itoa(at.(*net.TCPAddr).Port)
	for _, host := range []string{"127.0.0.1", "localhost", "::1"} {
		hosts = append(hosts, net.JoinHostPort(host, port))
	}
	return at.String(), append(hosts, at.String())
}
