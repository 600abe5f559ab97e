package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/checks/flood"
	"github.com/tidemark/tidemark/internal/controller/webhook/certificate"
	"github.com/tidemark/tidemark/internal/permit"
)

const servedAs = "tidemark-webhook.tidemark-system.svc"

func TestMain(m *testing.M) {
	flood.Serve(func([]string) error { return serveForever() })
	os.Exit(m.Run())
}

// unknowing is a Sizer that reads pods and finds nothing out.
func unknowing() *Sizer {
	return &Sizer{Owners: ownedBy{err: errors.New("nobody is known here")}, Permits: &permit.Checker{
		Rules: permit.Rules{Admin: func() v1alpha1.AdminSettings { return v1alpha1.AdminSettings{} }},
	}}
}

// serveForever serves the webhook at a free port, with a certificate as the
// controller makes it.
func serveForever() error {
	log.SetLogger(logr.Discard())
	set, _, err := certificate.Renew(certificate.Set{}, []string{servedAs}, time.Now())
	if err != nil {
		return err
	}
	free, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	port := free.Addr().(*net.TCPAddr).Port
	if err := free.Close(); err != nil {
		return err
	}
	server := NewServer("127.0.0.1", port, Callers{})
	if err := server.shown.Show(set.Serving); err != nil {
		return err
	}
	server.Register(Path, bounded(&admission.Webhook{Handler: unknowing()}))
	go func() {
		for {
			conn, err := (&net.Dialer{}).Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
			if err == nil {
				_ = conn.Close()
				_ = json.NewEncoder(os.Stderr).Encode(map[string]string{"address": fmt.Sprintf("https://127.0.0.1:%d", port), "roots": string(set.Bundle())})
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	return server.Start(context.Background())
}

// TestAFloodOfHostileReviewsTakesLittleMemory: nobody proves that it is the API
// server who asks. Whoever is refused passes, by the failure policy.
func TestAFloodOfHostileReviewsTakesLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, which is used with -short, takes memory of its own")
	}
	bad := maps.Clone(flood.Bad)
	pod := func(containers int) string {
		return `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1","object":{"spec":{"containers":[{}` +
			strings.Repeat(",{}", containers) + `]}}}}`
	}
	bad["a pod of many containers"], bad["a pod of as many containers as are read"] = pod(333_000), pod(2_400)
	for name, text := range bad {
		t.Run(name, func(t *testing.T) {
			server := flood.Start(t, "serve")
			var said struct{ Roots string }
			if err := json.Unmarshal(server.Said, &said); err != nil {
				t.Fatal(err)
			}
			roots := x509.NewCertPool()
			roots.AppendCertsFromPEM([]byte(said.Roots))
			server.Send(t, flood.Body{
				Path: Path, Text: text, TLS: &tls.Config{RootCAs: roots, ServerName: servedAs}, Header: http.Header{"Content-Type": {"application/json"}},
				Want: []int{http.StatusOK, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests},
			})
		})
	}
}
