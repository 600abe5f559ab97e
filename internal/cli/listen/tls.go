package listen

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
)

// HTTP2 is what a connection may make a server hold before anyone looks at it. Go's
// own bounds are a megabyte for each.
var HTTP2 = http.HTTP2Config{
	MaxConcurrentStreams: 50, MaxReadFrameSize: 16 << 10, MaxReceiveBufferPerConnection: 64 << 10, MaxReceiveBufferPerStream: 64 << 10,
}

// Encrypted puts TLS before a listener. The certificate is read again when its
// file changes, because certificates are renewed while servers run.
func Encrypted(ctx context.Context, plain net.Listener, cert, key string) (net.Listener, error) {
	watcher, err := certwatcher.New(cert, key)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("reading the certificate: %w", err), plain.Close())
	}
	go func() {
		// It ends with the context; until then it tells its errors itself.
		_ = watcher.Start(ctx)
	}()
	return tls.NewListener(plain, config(watcher.GetCertificate)), nil
}

// lasts is how long a certificate of our own is valid. One is made at each start.
const lasts = 365 * 24 * time.Hour

// WithOwn puts TLS before a listener, by a certificate that is made for these names
// now and is signed by nobody. The fingerprint is for who wants to compare it.
func WithOwn(plain net.Listener, names []string, now time.Time) (encrypted net.Listener, fingerprint string, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, "", errors.Join(err, plain.Close())
	}
	number, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, "", errors.Join(err, plain.Close())
	}
	template := &x509.Certificate{
		SerialNumber: number, Subject: pkix.Name{CommonName: "tidemark"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(lasts),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true,
	}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	text, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, "", errors.Join(fmt.Errorf("making a certificate: %w", err), plain.Close())
	}
	own := &tls.Certificate{Certificate: [][]byte{text}, PrivateKey: key}
	return tls.NewListener(plain, config(func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return own, nil })), fmt.Sprintf("%x", sha256.Sum256(text)), nil
}

func config(certificate func(*tls.ClientHelloInfo) (*tls.Certificate, error)) *tls.Config {
	return &tls.Config{GetCertificate: certificate, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
}
