package scaler

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/scaler/protocol"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

// certificate makes one that signs itself, for a name, and its PEM form.
func certificate(t *testing.T, name string) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

func TestScalersOverTLS(t *testing.T) {
	own, ca := certificate(t, "scaler.test")
	_, foreign := certificate(t, "scaler.test")
	for name, tt := range map[string]struct {
		tls   *v1alpha1.GRPCTLS
		words string
	}{
		"recognized":                {&v1alpha1.GRPCTLS{CA: ca, ServerName: "scaler.test"}, ""},
		"of another authority":      {&v1alpha1.GRPCTLS{CA: foreign, ServerName: "scaler.test"}, "certificate"},
		"of another name":           {&v1alpha1.GRPCTLS{CA: ca, ServerName: "other.test"}, "not other.test"},
		"by its address alone":      {&v1alpha1.GRPCTLS{CA: ca}, "cannot validate certificate for 127.0.0.1"},
		"unknown to the system":     {&v1alpha1.GRPCTLS{ServerName: "scaler.test"}, "certificate"},
		"without TLS":               {nil, "cannot be reached"},
		"with nothing to trust, CA": {&v1alpha1.GRPCTLS{CA: "nothing"}, "external.grpc.tls.ca holds no certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			s := queue(1)
			w := newWorld(serve(t, s, grpc.Creds(credentials.NewServerTLSFromCert(&own))))
			_, err := w.ask(t, func(q *Question) { q.Scaler.TLS = tt.tls })
			switch {
			case tt.words == "" && err != nil, tt.words != "" && (err == nil || !strings.Contains(err.Error(), tt.words)):
				t.Errorf("got %v, want it to say %q", err, tt.words)
			case tt.words != "" && len(s.told) > 0:
				t.Error("a stranger was told of the object")
			}
		})
	}
}

// TestAScalerThatHangs is asked no longer than the deadline, and after two
// questions without an answer over a new connection.
func TestAScalerThatHangs(t *testing.T) {
	s := queue(1)
	var hangs atomic.Bool
	hangs.Store(true)
	answer := s.values
	s.values = func(ctx context.Context, name string) ([]*protocol.MetricValue, error) {
		if hangs.Load() {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return answer(ctx, name)
	}
	w := newWorld(serve(t, s))
	w.client.timeout = 50 * time.Millisecond
	for range 2 {
		_, err := w.ask(t)
		if outage := new(snapshot.Outage); !errors.As(err, outage) || !strings.Contains(err.Error(), "it gives no answer within 50ms") {
			t.Fatalf("got %v, want an outage", err)
		}
		w.clock.SetTime(w.clock.Now().Add(time.Minute))
	}
	hangs.Store(false)
	w.client.timeout = Timeout
	if _, err := w.ask(t); err != nil {
		t.Errorf("after it is back: %v", err)
	}
	if n := s.connections.Load(); n != 2 {
		t.Errorf("%d connections, want a new one after two silences", n)
	}
}

// TestAScalerThatAcceptsAndSaysNothing is one that does not even greet.
func TestAScalerThatAcceptsAndSaysNothing(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	w := newWorld(listener.Addr().String())
	w.client.timeout = 50 * time.Millisecond
	_, err = w.ask(t)
	if outage := new(snapshot.Outage); !errors.As(err, outage) {
		t.Errorf("got %v, want an outage", err)
	}
}

// TestConnectionsAreBounded: users choose what they trust, and so how many there
// are.
func TestConnectionsAreBounded(t *testing.T) {
	c := &connections{}
	for i := range maxConnections + 50 {
		if _, err := c.to("scaler.test:6000", &v1alpha1.GRPCTLS{ServerName: strings.Repeat("a", i%250+1) + strings.Repeat("b", i/250)}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.open); n != maxConnections {
		t.Errorf("%d connections are open, want %d", n, maxConnections)
	}
	for _, one := range c.open {
		one.used = time.Now().Add(-idle - time.Second)
	}
	if _, err := c.to("other.test:6000", nil); err != nil || len(c.open) != 1 {
		t.Errorf("%d connections are open after nobody used them, %v; want the new one", len(c.open), err)
	}
}
