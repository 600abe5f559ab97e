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

	"golang.org/x/net/netutil"

	"github.com/tidemark/tidemark/internal/cli/listen"
	"github.com/tidemark/tidemark/internal/ui/server"
)

// How long a caller may take. A stream sets the time of each of its lines itself.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 15 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 16 << 10
	// mostConnections are open at once; further ones wait.
	mostConnections = 512
)

// site is where pages are served, and to whom.
type site struct {
	listen string
	// shared is set where each caller brings a token of the cluster. Then there is TLS,
	// by the files of a certificate or by one that is made at the start.
	shared    bool
	cert, key string
	// hosts are the names by which others call it.
	hosts []string
}

// check refuses to listen where others could connect, unless they bring tokens of
// their own: what is read would cross their network as it is.
func (s *site) check() error {
	host, _, err := net.SplitHostPort(s.listen)
	if err != nil {
		return fmt.Errorf("--listen must be HOST:PORT, got %q", s.listen)
	}
	ip := net.ParseIP(host)
	local := host == "localhost" || ip != nil && ip.IsLoopback()
	switch {
	case !s.shared && !local:
		return fmt.Errorf("--listen %s is open to others: listen on 127.0.0.1, and let them reach it through ssh, or serve them with --shared", s.listen)
	case !s.shared && (s.cert != "" || s.key != "" || len(s.hosts) > 0):
		return errors.New("--tls-cert, --tls-key and --host need --shared: without it only this machine is served")
	case (s.cert == "") != (s.key == ""):
		return errors.New("--tls-cert and --tls-key belong together: give both, or neither")
	}
	return nil
}

// serve serves pages until the context ends.
func (s *site) serve(ctx context.Context, out io.Writer, o server.Options) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.listen)
	if err != nil {
		return fmt.Errorf("listening: %w (--listen 127.0.0.1:0 takes any port that is free)", err)
	}
	listener = netutil.LimitListener(&perHost{Listener: listener, most: mostOfOne}, mostConnections)
	hello := ""
	if s.shared {
		listener, hello, err = s.share(ctx, listener, &o)
	} else {
		hello = s.keep(listener, &o)
	}
	if err != nil {
		return err
	}
	h := &http.Server{
		Handler: server.New(o), ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		HTTP2: &listen.HTTP2, ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn), BaseContext: func(net.Listener) context.Context { return ctx },
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve(listener) }()
	fmt.Fprint(out, hello)
	select {
	case err := <-served:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	// Streams end with the context, and nothing else takes long.
	_ = h.Close()
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving: %w", err)
	}
	return nil
}

// keep serves this machine alone, for a token that is made now.
func (s *site) keep(listener net.Listener, o *server.Options) (hello string) {
	o.Token = rand.Text()
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	for _, host := range append([]string{listener.Addr().(*net.TCPAddr).IP.String()}, local...) {
		o.Hosts = append(o.Hosts, net.JoinHostPort(host, port))
	}
	return fmt.Sprintf("Open http://%s/#token=%s\nWhoever has this address sees what you see; it is good until the program ends.\n", listener.Addr(), o.Token)
}

// local are the names of one's own machine.
var local = []string{"127.0.0.1", "localhost", "::1"}

// share serves others, over TLS.
func (s *site) share(ctx context.Context, plain net.Listener, o *server.Options) (listener net.Listener, hello string, err error) {
	// Who forwards a port calls it by a name of their own machine, at any port.
	o.TLS, o.AnyPort, o.Hosts = true, true, append(append([]string{}, s.hosts...), local...)
	hello = fmt.Sprintf("Serving https://%s to who brings a token of the cluster.\n", plain.Addr())
	if s.cert != "" {
		listener, err = listen.Encrypted(ctx, plain, s.cert, s.key)
		return listener, hello, err
	}
	listener, fingerprint, err := listen.WithOwn(plain, o.Hosts, time.Now())
	return listener, hello + "Its certificate is signed by nobody; its SHA-256 fingerprint is " + fingerprint + ".\n", err
}
