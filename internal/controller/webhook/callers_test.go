package webhook

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/controller/webhook/certificate"
)

// authority signs certificates of callers.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t}
	own := a.sign("authority", x509.ExtKeyUsageAny)
	a.cert, a.key = own.Leaf, own.PrivateKey.(*ecdsa.PrivateKey)
	return a
}

// sign makes a certificate; that of an authority which has none yet signs itself.
func (a *authority) sign(name string, use x509.ExtKeyUsage) tls.Certificate {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, ExtKeyUsage: []x509.ExtKeyUsage{use},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: a.cert == nil, BasicConstraintsValid: true,
	}
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		a.t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

func (a *authority) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
}

// asking is a server that asks callers as the webhook's does.
type asking struct {
	*httptest.Server
	// requests is how many came as far as to be read.
	requests atomic.Int32
}

func serveFor(t *testing.T, callers Callers) *asking {
	t.Helper()
	set, _, err := certificate.Renew(certificate.Set{}, []string{"webhook"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	shown := &certificate.Shown{}
	if err := shown.Show(set.Serving); err != nil {
		t.Fatal(err)
	}
	s := &asking{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{}
	for _, change := range []func(*tls.Config){shown.TLS, oneAtATime, callers.TLS} {
		change(s.TLS)
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// call sends a review on a connection of its own, and tells whether it was answered.
func (s *asking) call(t *testing.T, shows ...tls.Certificate) error {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: &tls.Config{
		InsecureSkipVerify: true, // who serves is not what is looked at
		// Not Certificates: of those a client shows none that nobody asked for.
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return &append(shows, tls.Certificate{})[0], nil
		},
	}}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+Path, strings.NewReader(`{"request":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	response, err := transport.RoundTrip(request)
	if err == nil {
		err = response.Body.Close()
	}
	return err
}

// TestCallersAreAskedForACertificate: who has none that counts is refused before
// anything of a request is read.
func TestCallersAreAskedForACertificate(t *testing.T) {
	ours, others := newAuthority(t), newAuthority(t)
	file := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(file, ours.pem(), 0o600); err != nil {
		t.Fatal(err)
	}
	client := x509.ExtKeyUsageClientAuth
	for name, tc := range map[string]struct {
		names   []string
		shows   []tls.Certificate
		refused bool
	}{
		"none":                               {refused: true},
		"one of another authority":           {shows: []tls.Certificate{others.sign("apiserver", client)}, refused: true},
		"one that is for servers":            {shows: []tls.Certificate{ours.sign("apiserver", x509.ExtKeyUsageServerAuth)}, refused: true},
		"one of the authority":               {shows: []tls.Certificate{ours.sign("apiserver", client)}},
		"one of a name that counts":          {names: []string{"other", "apiserver"}, shows: []tls.Certificate{ours.sign("apiserver", client)}},
		"one of another name":                {names: []string{"apiserver"}, shows: []tls.Certificate{ours.sign("kubelet", client)}, refused: true},
		"the right name, another authority":  {names: []string{"apiserver"}, shows: []tls.Certificate{others.sign("apiserver", client)}, refused: true},
		"none, where names are asked for":    {names: []string{"apiserver"}, refused: true},
		"one without a name, none asked for": {shows: []tls.Certificate{ours.sign("", client)}},
	} {
		t.Run(name, func(t *testing.T) {
			server := serveFor(t, Callers{CAFile: file, Names: tc.names})
			err := server.call(t, tc.shows...)
			if read := server.requests.Load(); (err != nil) != tc.refused || (read == 0) != tc.refused {
				t.Errorf("%d requests were read, the caller was told %v", read, err)
			}
		})
	}
}

// TestEveryoneMayCallWhereNobodyIsAsked: an API server that was not configured to
// show a certificate has none.
func TestEveryoneMayCallWhereNobodyIsAsked(t *testing.T) {
	if err := serveFor(t, Callers{}).call(t); err != nil {
		t.Error(err)
	}
}

// TestTheFileOfCallersMayBeExchanged: connections that begin afterward go by what it
// says then, and nobody is let in while it says nothing.
func TestTheFileOfCallersMayBeExchanged(t *testing.T) {
	before, after := newAuthority(t), newAuthority(t)
	old, fresh := before.sign("apiserver", x509.ExtKeyUsageClientAuth), after.sign("apiserver", x509.ExtKeyUsageClientAuth)
	callers := Callers{CAFile: filepath.Join(t.TempDir(), "ca.crt")}
	server := serveFor(t, callers)
	for _, step := range []struct {
		what       string
		file       []byte
		old, fresh bool
	}{
		{"the first authority", before.pem(), true, false},
		{"both", append(before.pem(), after.pem()...), true, true},
		{"the second", after.pem(), false, true},
		{"no certificate", []byte("nothing"), false, false},
		{"the second again", after.pem(), false, true},
	} {
		t.Run(step.what, func(t *testing.T) {
			if err := os.WriteFile(callers.CAFile, step.file, 0o600); err != nil {
				t.Fatal(err)
			}
			if one, other := server.call(t, old), server.call(t, fresh); (one == nil) != step.old || (other == nil) != step.fresh {
				t.Errorf("the first is told %v, the second %v", one, other)
			}
			if err := callers.Check(); (err == nil) != (step.old || step.fresh) {
				t.Errorf("looking at the file: %v", err)
			}
		})
	}
	if err := (Callers{CAFile: "missing"}).Check(); err == nil {
		t.Error("a file that is not there is no fault")
	}
}
