package pki

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// lifetime is how long every certificate is valid. A cluster lives for minutes
// or hours; a year leaves room for one that was forgotten.
const lifetime = 365 * 24 * time.Hour

// Authority signs certificates. Its own certificate is in NAME.crt.
type Authority struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	// File is the path of the authority's certificate, KeyFile that of its key.
	File, KeyFile string
}

// Pair is the paths of a certificate and of its key.
type Pair struct {
	CertFile, KeyFile string
}

// NewAuthority makes a self-signed authority and writes it below dir.
func NewAuthority(dir, name string) (*Authority, error) {
	template := template(pkix.Name{CommonName: name})
	template.IsCA = true
	template.BasicConstraintsValid = true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	a := &Authority{dir: dir, cert: template}
	pair, err := a.write(name, template)
	if err != nil {
		return nil, err
	}
	a.File, a.KeyFile = pair.CertFile, pair.KeyFile
	return a, nil
}

// Serving makes a certificate for a server on the loopback address that may
// also be called by the given names.
func (a *Authority) Serving(name string, dnsNames ...string) (Pair, error) {
	return a.issue(name, serving(name, dnsNames...))
}

// Member makes a certificate for a server on the loopback address that is also
// a client of its own, as etcd is: its gateway for JSON calls it.
func (a *Authority) Member(name string) (Pair, error) {
	cert := serving(name)
	cert.ExtKeyUsage = append(cert.ExtKeyUsage, x509.ExtKeyUsageClientAuth)
	return a.issue(name, cert)
}

func serving(name string, dnsNames ...string) *x509.Certificate {
	cert := template(pkix.Name{CommonName: name})
	cert.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	cert.DNSNames = append([]string{"localhost"}, dnsNames...)
	cert.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	return cert
}

// Client makes a certificate that authenticates a user in the given groups.
func (a *Authority) Client(name, user string, groups ...string) (Pair, error) {
	cert := template(pkix.Name{CommonName: user, Organization: groups})
	cert.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return a.issue(name, cert)
}

func (a *Authority) issue(name string, cert *x509.Certificate) (Pair, error) {
	cert.KeyUsage = x509.KeyUsageDigitalSignature
	return a.write(name, cert)
}

// write makes a key and a certificate of it. The first key of an authority is
// its own.
func (a *Authority) write(name string, cert *x509.Certificate) (Pair, error) {
	pair := Pair{CertFile: filepath.Join(a.dir, name+".crt"), KeyFile: filepath.Join(a.dir, name+".key")}
	key, err := newKey(pair.KeyFile)
	if err != nil {
		return Pair{}, err
	}
	if a.key == nil {
		a.key = key
	}
	if cert.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)); err != nil {
		return Pair{}, fmt.Errorf("making the serial number of %s: %w", name, err)
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, a.cert, &key.PublicKey, a.key)
	if err != nil {
		return Pair{}, fmt.Errorf("signing certificate %s: %w", name, err)
	}
	return pair, writePEM(pair.CertFile, "CERTIFICATE", der)
}

// SigningKey writes the key pair that signs service account tokens. The API
// server verifies with the certificate-less public key in the second file.
func SigningKey(dir, name string) (Pair, error) {
	pair := Pair{CertFile: filepath.Join(dir, name+".pub"), KeyFile: filepath.Join(dir, name+".key")}
	key, err := newKey(pair.KeyFile)
	if err != nil {
		return Pair{}, err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return Pair{}, fmt.Errorf("encoding key %s: %w", name, err)
	}
	return pair, writePEM(pair.CertFile, "PUBLIC KEY", public)
}

func template(subject pkix.Name) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{Subject: subject, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(lifetime)}
}

// newKey makes a key and writes it.
func newKey(path string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making key %s: %w", path, err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", path, err)
	}
	return key, writePEM(path, "EC PRIVATE KEY", der)
}

func writePEM(path, kind string, der []byte) error {
	data := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return fmt.Errorf("writing a certificate or key: %w", err)
	}
	return nil
}
