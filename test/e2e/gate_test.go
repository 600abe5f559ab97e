//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strconv"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// gate stands between a controller and the API server. It counts the requests,
// and can spoil those of one namespace.
type gate struct {
	server *httptest.Server

	mu     sync.Mutex
	counts map[string]map[string]int
	spoil  map[string]spoiler
}

// spoiler says what becomes of a request: a status other than 0 is the answer,
// after the delay.
type spoiler func(*http.Request) (status int, delay time.Duration)

func newGate(api *rest.Config) (*gate, error) {
	target, err := url.Parse(api.Host)
	if err != nil {
		return nil, err
	}
	// The caller's own credentials are passed on, and nobody else's.
	transport, err := rest.TransportFor(rest.AnonymousClientConfig(api))
	if err != nil {
		return nil, err
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport, proxy.FlushInterval = transport, -1
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, err error) {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
	g := &gate{counts: map[string]map[string]int{}, spoil: map[string]spoiler{}}
	// Clients keep their token to themselves where there is no TLS.
	g.server = httptest.NewUnstartedServer(g.pass(proxy))
	g.server.EnableHTTP2 = true
	g.server.StartTLS()
	return g, nil
}

// asServer is the gate as a client's API server.
func (g *gate) asServer() *clientcmdapi.Cluster {
	return &clientcmdapi.Cluster{Server: g.server.URL, CertificateAuthorityData: g.authority()}
}

// authority is the certificate that the gate is known by.
func (g *gate) authority() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: g.server.Certificate().Raw})
}

func (g *gate) pass(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		namespace, what := namespaceAndResource(r)
		status, delay := g.note(namespace, what, r)
		time.Sleep(delay)
		if status != 0 {
			refuse(w, status)
			return
		}
		// An API server that knows no such resource answers without reading, and a
		// proxy that is still sending then may never hand the answer on.
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(sent))
		next.ServeHTTP(w, r)
	})
}

// note counts a request and returns what becomes of it.
func (g *gate) note(namespace, what string, r *http.Request) (int, time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.counts[namespace] == nil {
		g.counts[namespace] = map[string]int{}
	}
	g.counts[namespace][what]++
	if spoil := g.spoil[namespace]; spoil != nil {
		return spoil(r)
	}
	return 0, 0
}

// disturb spoils the requests of a namespace from now on; nil ends it.
func (g *gate) disturb(namespace string, s spoiler) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.spoil[namespace] = s
}

// of returns how many requests of each form there have been in a namespace. The
// empty one is for those that belong to none.
func (g *gate) of(namespace string) map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return maps.Clone(g.counts[namespace])
}

var namespaced = regexp.MustCompile(`^/apis?/(.*)/namespaces/([^/]+)/(.*)$`)

// namespaceAndResource tells what a request is about, such as shop and
// "PUT apps/v1 deployments/web/scale".
func namespaceAndResource(r *http.Request) (namespace, what string) {
	parts := namespaced.FindStringSubmatch(r.URL.Path)
	if parts == nil {
		return "", r.Method + " " + r.URL.Path
	}
	return parts[2], r.Method + " " + parts[1] + " " + parts[3]
}

// refuse answers as the API server does.
func refuse(w http.ResponseWriter, code int) {
	reasons := map[int]metav1.StatusReason{
		http.StatusConflict: metav1.StatusReasonConflict, http.StatusTooManyRequests: metav1.StatusReasonTooManyRequests,
		http.StatusInternalServerError: metav1.StatusReasonInternalError,
	}
	status := metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
		Code: int32(code), Reason: reasons[code], Message: fmt.Sprintf("spoiled with %d", code),
	}
	if code == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", strconv.Itoa(1))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(status)
}
