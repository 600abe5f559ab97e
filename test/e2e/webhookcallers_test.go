//go:build e2e

package e2e

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/internal/controller/webhook"
	"github.com/tidemark/tidemark/test/live"
)

// TestTheWebhookAnswersTheAPIServerAlone: an API server that shows its certificate gets
// new pods sized. Whoever has none, one of another authority, or one of the same
// authority with another name, is refused.
func TestTheWebhookAnswersTheAPIServerAlone(t *testing.T) {
	alone(t)
	port := installWebhook(t)
	startController(t, options{change: func(c *config.Controller) {
		c.Webhook.Enabled, c.Webhook.Port = true, port
		c.Webhook.ClientCAFile, c.Webhook.ClientNames = world.Certificate("ca.crt"), []string{"kube-apiserver-kubelet-client"}
	}})
	p := newPlace(t)
	p.workload("web", 1)
	p.eventuallyReady("web", 1)
	p.scriptedVPA("web", "250m", "256Mi")
	p.autoscaler("web", `{replicas: {max: 5}, containers: [{name: app, cpu: {}}], vertical: {source: VPA, vpaName: web, update: Initial}}`)
	p.eventuallyInScope()
	eventually(t, patience, func() error {
		p.remove(&corev1.Pod{}, p.eventuallyReady("web", 1)[0].Name)
		pod := p.eventuallyReady("web", 1)[0]
		if got := pod.Spec.Containers[0].Resources.Requests.Cpu().String(); got != "250m" || pod.Annotations[webhook.SizedBy] == "" {
			return fmt.Errorf("a new pod requests %s, annotated %v; want 250m", got, pod.Annotations)
		}
		return nil
	})
	address := fmt.Sprintf("https://localhost:%d%s", port, webhook.Path)
	for name, tc := range map[string]struct {
		shows  string
		answer bool
	}{
		"no certificate":                  {},
		"a certificate of another":        {shows: "front-proxy-client"},
		"a certificate with another name": {shows: "kubeconfig-client"},
		"the certificate of API servers":  {shows: "kubelet-client", answer: true},
	} {
		t.Run(name, func(t *testing.T) {
			code, text, err := p.sendReview(address, tc.shows)
			if answered := err == nil && code == http.StatusOK && strings.Contains(text, `"allowed":true`); answered != tc.answer || !answered && err == nil {
				t.Errorf("it is told %d %s, %v", code, text, err)
			}
		})
	}
}

// installWebhook makes the objects of the webhook for a controller of the test's own,
// and returns the port at which it has to serve.
func installWebhook(t *testing.T) int {
	t.Helper()
	ports, err := live.FreePorts(1)
	if err == nil {
		err = world.InstallWebhook(ports[0])
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The controller that other tests share brings its own.
		world.must(t, "kubectl", "delete", "mutatingwebhookconfiguration/tidemark")
		world.must(t, "kubectl", "delete", "-n", live.Namespace, "secret/tidemark-webhook-certificate", "service/tidemark-webhook")
	})
	return ports[0]
}

// sendReview asks the webhook as an API server does, and shows a certificate of the
// cluster if one is named, whether it is asked for that one or not.
func (p *place) sendReview(address, shows string) (int, string, error) {
	p.t.Helper()
	shown := &tls.Certificate{}
	if shows != "" {
		pair, err := tls.LoadX509KeyPair(world.Certificate(shows+".crt"), world.Certificate(shows+".key"))
		if err != nil {
			p.t.Fatal(err)
		}
		shown = &pair
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{
		InsecureSkipVerify:   true, // who serves is not what is looked at
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return shown, nil },
	}}
	defer transport.CloseIdleConnections()
	review := fmt.Sprintf(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1","namespace":%q,"object":{"spec":{}}}}`, p.name)
	request, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, address, strings.NewReader(review))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := transport.RoundTrip(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}
