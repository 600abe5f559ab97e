package serve

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/cli/exit"
)

func TestRefusesToSendTokensInTheClear(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"every address":          {[]string{"--listen", ":8080"}, "need TLS"},
		"an address of others":   {[]string{"--listen", "10.0.0.1:8080"}, "need TLS"},
		"a name":                 {[]string{"--listen", "server.example:8080"}, "need TLS"},
		"no port":                {[]string{"--listen", "127.0.0.1"}, "HOST:PORT"},
		"a key without a cert":   {[]string{"--tls-key", "tls.key"}, "belong together"},
		"a word":                 {[]string{"word"}, "unknown command"},
		"a kubeconfig not there": {[]string{"--kubeconfig", "testdata/none"}, "--kubeconfig testdata/none: there is no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := New()
			cmd.SilenceErrors, cmd.SilenceUsage = true, true
			cmd.SetArgs(c.args)
			err := cmd.Execute()
			if code, untold := exit.Of(err); code != exit.Refused || !untold || !strings.Contains(err.Error(), c.want) {
				t.Errorf("want a refusal with %q, got exit %d, %v", c.want, code, err)
			}
		})
	}
}

func TestPrintOpenAPI(t *testing.T) {
	var out bytes.Buffer
	cmd := New()
	cmd.SetArgs([]string{"--print-openapi"})
	cmd.SetOut(&out)
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	var document struct{ OpenAPI string }
	if err := json.Unmarshal(out.Bytes(), &document); err != nil || document.OpenAPI != "3.1.0" {
		t.Errorf("want an OpenAPI document, got %q (%v)", document.OpenAPI, err)
	}
}

// TestServesUntilItIsStopped runs the verb as a whole, in front of an API
// server that refuses everything: what the caller sent arrives there, the
// refusal comes back, and the verb ends when it is told to.
func TestServesUntilItIsStopped(t *testing.T) {
	tokens := make(chan string, 1)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tokens <- r.Header.Get("Authorization")
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","message":"no rights","code":403}`)
	}))
	defer api.Close()
	folder := t.TempDir()
	kubeconfig := write(t, folder, "kubeconfig", kubeconfigOf(api.URL))
	cert, key := certificate(t, folder)

	log, logs := io.Pipe()
	cmd := New()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs([]string{"--listen", "127.0.0.1:0", "--kubeconfig", kubeconfig, "--tls-cert", cert, "--tls-key", key})
	cmd.SetErr(logs)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- cmd.ExecuteContext(ctx) }()

	lines := json.NewDecoder(log)
	var line struct{ Address string }
	if err := lines.Decode(&line); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, log) }()
	client := trusting(t, cert)
	request, err := http.NewRequest(http.MethodGet, line.Address+"/v1/namespaces/shop/horizontalpodautoscalers", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer caller-token")
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden || answer.ProtoMajor != 2 {
		t.Errorf("want the refusal over HTTP/2, got %s %s", answer.Proto, answer.Status)
	}
	if token := <-tokens; token != "Bearer caller-token" {
		t.Errorf("want the caller's token, got %q", token)
	}
	client.CloseIdleConnections()
	stop()
	if err := <-ended; err != nil {
		t.Errorf("want a clean end, got %v", err)
	}
}

// kubeconfigOf has a token of its own, which must never be sent.
func kubeconfigOf(server string) string {
	return `{"apiVersion":"v1","kind":"Config","current-context":"c",
	  "contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}],"clusters":[{"name":"c","cluster":{"server":"` + server + `"}}],
	  "users":[{"name":"u","user":{"token":"own-token"}}]}`
}

func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// certificate makes a certificate for this machine that trusts itself.
func certificate(t *testing.T, folder string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	public, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	text := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	return write(t, folder, "tls.crt", text("CERTIFICATE", public)), write(t, folder, "tls.key", text("EC PRIVATE KEY", secret))
}

// trusting is a client that trusts a certificate and no other.
func trusting(t *testing.T, cert string) *http.Client {
	t.Helper()
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: rootsOf(t, cert)}, ForceAttemptHTTP2: true}}
}

func rootsOf(t *testing.T, cert string) *x509.CertPool {
	t.Helper()
	text, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	return roots
}
