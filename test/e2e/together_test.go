//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/config"
)

// together is the controller that parallel tests share: with the webhook, with
// a Prometheus server that holds the past, and behind a gate.
var together sharedController

type sharedController struct {
	*controllerProcess
	gate *gate

	once    sync.Once
	err     error
	folder  string
	history *prometheusProcess
}

// secret is the token for Prometheus. Nobody may ever see it.
const secret = "a-token-that-nobody-may-see"

// share makes a test parallel and gives it the shared controller.
func share(t *testing.T) *sharedController {
	t.Helper()
	t.Parallel()
	together.once.Do(func() { together.err = together.begin() })
	if together.err != nil {
		t.Fatal(together.err)
	}
	return &together
}

// about is what the shared controller logged of a namespace, the end of it.
func (s *sharedController) about(namespace string) string {
	if s.controllerProcess == nil {
		return ""
	}
	lines := slices.DeleteFunc(strings.Split(s.log(), "\n"), func(line string) bool { return !strings.Contains(line, namespace) })
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

func (s *sharedController) begin() (err error) {
	if s.folder, err = os.MkdirTemp("", "tidemark-e2e-"); err != nil {
		return err
	}
	if s.history, err = startPrometheus(s.folder); err != nil {
		return err
	}
	if s.gate, err = newGate(world.config); err != nil {
		return err
	}
	ports, err := freePorts(1)
	if err != nil {
		return err
	}
	if err := installWebhook(ports[0]); err != nil {
		return err
	}
	token, authority := filepath.Join(s.folder, "token"), filepath.Join(s.folder, "authority")
	if err := s.history.authority(authority); err != nil {
		return err
	}
	if err := os.WriteFile(token, []byte(secret+"\n"), 0o600); err != nil {
		return err
	}
	s.controllerProcess, err = newController(s.folder, options{through: s.gate, authority: world.certificate("ca.crt"), change: func(c *config.Controller) {
		c.Admin.Prometheus = &v1alpha1.PrometheusSettings{Address: s.history.address, TokenFile: token, CAFile: authority}
		c.Webhook.Enabled, c.Webhook.Port = true, ports[0]
		c.Admin.PreferredMaxReplicas = new(int32(10))
	}})
	return err
}

// end stops what was begun.
func (s *sharedController) end() (err error) {
	if s.controllerProcess != nil {
		err = s.stop()
	}
	if s.history != nil {
		s.history.stop()
	}
	if s.gate != nil {
		s.gate.server.Close()
	}
	_ = os.RemoveAll(s.folder)
	return err
}

// installWebhook makes the objects of config/webhook. A Service that is an alias
// of localhost leads the API server to a controller outside of the cluster.
func installWebhook(port int) error {
	for name, obj := range map[string]client.Object{"certificate.yaml": &corev1.Secret{}, "webhook.yaml": &admissionv1.MutatingWebhookConfiguration{}} {
		text, err := os.ReadFile("../../config/webhook/" + name)
		if err != nil {
			return err
		}
		text = []byte(strings.Replace(string(text), "port: 443", fmt.Sprintf("port: %d", port), 1))
		if err := yaml.UnmarshalStrict(text, obj); err != nil {
			return err
		}
		if err := world.Create(context.Background(), obj); err != nil {
			return err
		}
	}
	service := &corev1.Service{}
	service.Namespace, service.Name = "tidemark-system", "tidemark-webhook"
	service.Spec = corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "localhost"}
	return world.Create(context.Background(), service)
}
