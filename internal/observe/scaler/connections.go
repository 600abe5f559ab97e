package scaler

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/egress"
)

const (
	// maxConnections bounds how many there are: users choose the certificates that
	// they trust, and each choice is a connection of its own.
	maxConnections = 256
	// idle is after which time without a question a connection is given up.
	idle = 5 * time.Minute
	// reconnect is how long one that failed is left alone at most. A scaler that is
	// back is seen by the next look.
	reconnect = 3 * time.Second
	// silences is after how many questions in a row without any answer a connection
	// is given up, for the next question to make a new one: its other end may have
	// gone without a word.
	silences = 2
)

// route is what connections are told apart by.
type route struct {
	address string
	tls     v1alpha1.GRPCTLS
	secure  bool
	// streams are apart: a server takes so many calls at once over a connection, and
	// streams last.
	streams bool
}

// shared is a connection that all use who ask the same way.
type shared struct {
	*grpc.ClientConn
	route  route
	used   time.Time
	silent int
}

// connections are those that are open. The zero value is ready for use.
type connections struct {
	mu   sync.Mutex
	open map[route]*shared
}

// to returns the connection to an address. It does not wait: connecting is part of
// the first question.
func (c *connections) to(address string, secure *v1alpha1.GRPCTLS) (*shared, error) {
	return c.by(route{address: address}, secure)
}

// toStreams returns the connection for what a scaler tells by itself.
func (c *connections) toStreams(address string, secure *v1alpha1.GRPCTLS) (*shared, error) {
	return c.by(route{address: address, streams: true}, secure)
}

func (c *connections) by(way route, secure *v1alpha1.GRPCTLS) (*shared, error) {
	if secure != nil {
		way.secure, way.tls = true, *secure
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if found := c.open[way]; found != nil {
		found.used = now
		return found, nil
	}
	c.makeRoom(now)
	conn, err := connect(way)
	if err != nil {
		return nil, err
	}
	if c.open == nil {
		c.open = map[route]*shared{}
	}
	c.open[way] = &shared{ClientConn: conn, route: way, used: now}
	return c.open[way], nil
}

// makeRoom closes what nobody uses, and if that is not enough what was not used
// for longest.
func (c *connections) makeRoom(now time.Time) {
	var oldest *shared
	for _, one := range c.open {
		if now.Sub(one.used) > idle {
			c.close(one)
		} else if oldest == nil || one.used.Before(oldest.used) {
			oldest = one
		}
	}
	if len(c.open) >= maxConnections {
		c.close(oldest)
	}
}

// close forgets a connection, and ends it when the questions are over that it
// still has.
func (c *connections) close(one *shared) {
	if c.open[one.route] == one {
		delete(c.open, one.route)
	}
	time.AfterFunc(Timeout, func() { _ = one.Close() })
}

// answered notes that the other end is there.
func (c *connections) answered(one *shared) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one.silent = 0
}

// silence notes a question without an answer.
func (c *connections) silence(one *shared) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one.silent++; one.silent == silences {
		c.close(one)
	}
}

// connect prepares a connection that goes to the address and nowhere else. The
// name is resolved by our own dialer: gRPC's name services would look for more
// than an address, such as a configuration.
func connect(way route) (*grpc.ClientConn, error) {
	security := insecure.NewCredentials()
	if way.secure {
		settings := &tls.Config{ServerName: way.tls.ServerName, MinVersion: tls.VersionTLS12}
		if way.tls.CA != "" {
			if settings.RootCAs = x509.NewCertPool(); !settings.RootCAs.AppendCertsFromPEM([]byte(way.tls.CA)) {
				return nil, errors.New("external.grpc.tls.ca holds no certificate in PEM form")
			}
		}
		security = credentials.NewTLS(settings)
	}
	dialer := new(egress.Dialer)
	slow := backoff.DefaultConfig
	slow.MaxDelay = reconnect
	conn, err := grpc.NewClient("passthrough:///"+way.address,
		grpc.WithTransportCredentials(security),
		grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			return dialer.DialContext(ctx, "tcp", address)
		}),
		grpc.WithNoProxy(), grpc.WithIdleTimeout(idle), grpc.WithDisableServiceConfig(), grpc.WithUserAgent("tidemark"),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: slow, MinConnectTimeout: Timeout}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxAnswer)), grpc.WithMaxHeaderListSize(64<<10),
	)
	if err != nil {
		return nil, fmt.Errorf("preparing the connection: %w", err)
	}
	return conn, nil
}
