package certificate

import (
	"crypto/tls"
	"errors"
	"net/http"
	"sync/atomic"
)

// Shown is the certificate that is served at this moment. It can be exchanged
// while connections come in. The zero value has none yet.
type Shown struct {
	current atomic.Pointer[tls.Certificate]
}

var errNone = errors.New("there is no serving certificate yet: the leader makes one as soon as it may write the certificate Secret")

// Show exchanges the certificate.
func (s *Shown) Show(p *Pair) error {
	loaded, err := tls.X509KeyPair(p.Cert, p.Key)
	if err != nil {
		return err
	}
	s.current.Store(&loaded)
	return nil
}

// TLS makes a server show the certificate.
func (s *Shown) TLS(config *tls.Config) {
	config.MinVersion = tls.VersionTLS13
	config.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		if loaded := s.current.Load(); loaded != nil {
			return loaded, nil
		}
		return nil, errNone
	}
}

// Ready is a check for the readiness of a replica: without a certificate it
// must not be sent any requests.
func (s *Shown) Ready(*http.Request) error {
	if s.current.Load() == nil {
		return errNone
	}
	return nil
}
