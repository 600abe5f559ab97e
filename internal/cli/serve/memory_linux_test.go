package serve

import (
	"crypto/tls"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/checks/flood"
)

func TestMain(m *testing.M) {
	flood.Serve(func(args []string) error {
		cmd := New()
		cmd.SetArgs(args)
		return cmd.Execute()
	})
	os.Exit(m.Run())
}

// onABusyMachine are answers of a server that the API server keeps waiting.
var onABusyMachine = []int{http.StatusServiceUnavailable, http.StatusGatewayTimeout}

// TestAFloodOfHostileBodiesTakesLittleMemory lets callers send their megabytes
// all at once. Callers who may write are the worst: the others' bodies are not
// even read.
func TestAFloodOfHostileBodiesTakesLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, which is used with -short, takes memory of its own")
	}
	bad := maps.Clone(flood.Bad)
	bad["many metrics"] = `{"name":"a","customMetrics":[{"metricName":"a"}` + strings.Repeat(`,{"metricName":"a"}`, 52_000) + `]}`
	for name, text := range bad {
		t.Run(name, func(t *testing.T) {
			server, body := behindAnAPI(t, text, "Bearer good-token")
			body.Want = append(onABusyMachine, http.StatusBadRequest, http.StatusTooManyRequests)
			server.Send(t, body)
		})
	}
	t.Run("from callers whom nobody knows", func(t *testing.T) {
		server, body := behindAnAPI(t, flood.Bad["many empty objects"], "Bearer other")
		body.Want = append(onABusyMachine, http.StatusUnauthorized)
		server.Send(t, body)
	})
}

// behindAnAPI runs the verb in front of an API server that knows one token, whose
// bearer may do everything.
func behindAnAPI(t *testing.T, text, authorization string) (*flood.Server, flood.Body) {
	t.Helper()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Authorization") != "Bearer good-token" {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Unauthorized","message":"Unauthorized","code":401}`)
			return
		}
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":{},"status":{"allowed":true}}`)
	}))
	t.Cleanup(api.Close)
	folder := t.TempDir()
	cert, key := certificate(t, folder)
	kubeconfig := write(t, folder, "kubeconfig", kubeconfigOf(api.URL))
	server := flood.Start(t, "--listen", "127.0.0.1:0", "--kubeconfig", kubeconfig, "--tls-cert", cert, "--tls-key", key)
	return server, flood.Body{
		Path: "/v1/namespaces/shop/horizontalpodautoscalers", Text: text, TLS: &tls.Config{RootCAs: rootsOf(t, cert)},
		Header: http.Header{"Authorization": {authorization}, "Content-Type": {"application/json"}},
	}
}
