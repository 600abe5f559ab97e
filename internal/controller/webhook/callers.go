package webhook

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"slices"
)

// Callers says who may call the webhook. Whoever may not is refused while the
// connection is made, before anything is read of a request.
type Callers struct {
	// CAFile has the authorities, in PEM, of which one has to have signed the
	// certificate of a caller. Where it is empty everyone may call.
	CAFile string
	// Names are the common names of which a certificate has to have one; empty is
	// any name.
	Names []string
}

// TLS makes a server ask for certificates. It must be the last to change the
// configuration.
func (c Callers) TLS(config *tls.Config) {
	if c.CAFile == "" {
		return
	}
	config.ClientAuth, config.VerifyConnection = tls.RequireAndVerifyClientCert, c.named
	// A session that is taken up again would be believed by what the file said before.
	config.SessionTicketsDisabled = true
	asked := config.Clone()
	config.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
		authorities, err := c.authorities()
		if err != nil {
			return nil, err
		}
		now := asked.Clone()
		now.ClientCAs = authorities
		return now, nil
	}
}

// Check returns why nobody could call.
func (c Callers) Check() error {
	if c.CAFile == "" {
		return nil
	}
	_, err := c.authorities()
	return err
}

// authorities reads the file. It is read for each connection, of which an API server
// makes few, so that a file that is exchanged counts at once; while it cannot be read,
// nobody is let in.
func (c Callers) authorities() (*x509.CertPool, error) {
	text, err := os.ReadFile(c.CAFile)
	if err != nil {
		return nil, fmt.Errorf("reading webhook.clientCAFile: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("webhook.clientCAFile: %s holds no certificate in PEM", c.CAFile)
	}
	return pool, nil
}

var errNotNamed = errors.New("the certificate has none of the common names in webhook.clientNames")

// named looks at a caller whose certificate was verified.
func (c Callers) named(state tls.ConnectionState) error {
	if len(c.Names) == 0 || slices.Contains(c.Names, state.PeerCertificates[0].Subject.CommonName) {
		return nil
	}
	return errNotNamed
}
