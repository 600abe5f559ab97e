package certificate

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// Pair is a certificate and its key, in PEM as they are kept.
type Pair struct {
	Cert, Key []byte
	parsed    *x509.Certificate
}

// clockSkew is how far the clocks of two machines may differ before a new
// certificate is not believed.
const clockSkew = 5 * time.Minute

// newAuthority makes a certificate that may sign others and nothing else.
func newAuthority(now time.Time) (*Pair, error) {
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: "tidemark webhook authority"},
		NotBefore:             now.Add(-clockSkew),
		NotAfter:              now.Add(authorityLife),
		IsCA:                  true,
		MaxPathLenZero:        true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	return sign(template, nil)
}

// newServing makes a certificate for these names, signed by an authority. It
// does not outlive the authority.
func newServing(authority *Pair, names []string, now time.Time) (*Pair, error) {
	until := now.Add(servingLife)
	if end := authority.parsed.NotAfter; until.After(end) {
		until = end
	}
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: names[0]},
		DNSNames:    names,
		NotBefore:   now.Add(-clockSkew),
		NotAfter:    until,
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	return sign(template, authority)
}

// sign makes a key and a certificate for it; without an authority it signs
// itself.
func sign(template *x509.Certificate, authority *Pair) (*Pair, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, fmt.Errorf("choosing a serial number: %w", err)
	}
	template.SerialNumber = serial
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	parent, signer := template, any(key)
	if authority != nil {
		signing, err := tls.X509KeyPair(authority.Cert, authority.Key)
		if err != nil {
			return nil, fmt.Errorf("reading the authority: %w", err)
		}
		parent, signer = authority.parsed, signing.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		return nil, fmt.Errorf("signing a certificate: %w", err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("writing a key: %w", err)
	}
	return readPair(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))
}

// readPair reads a pair and makes sure that its halves belong together. Where
// both are absent there is none.
func readPair(cert, key []byte) (*Pair, error) {
	if len(cert) == 0 && len(key) == 0 {
		return nil, nil
	}
	if _, err := tls.X509KeyPair(cert, key); err != nil {
		return nil, err
	}
	parsed, err := readCert(cert)
	if err != nil {
		return nil, err
	}
	return &Pair{Cert: cert, Key: key, parsed: parsed}, nil
}

func readCert(text []byte) (*x509.Certificate, error) {
	block, rest := pem.Decode(text)
	if block == nil || len(bytes.TrimSpace(rest)) > 0 {
		return nil, errors.New("not exactly one certificate in PEM")
	}
	return x509.ParseCertificate(block.Bytes)
}

// validAt tells whether there is a pair, and whether it holds at a moment.
func (p *Pair) validAt(at time.Time) bool {
	return p != nil && !at.Before(p.parsed.NotBefore) && at.Before(p.parsed.NotAfter)
}
