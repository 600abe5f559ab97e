package live

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// InstallWebhook makes the objects of config/webhook. A Service that is an alias
// of localhost leads the API server to a controller outside of the cluster.
func (c *Cluster) InstallWebhook(port int) error {
	for name, obj := range map[string]client.Object{"certificate.yaml": &corev1.Secret{},
		"webhook.yaml": &admissionregistrationv1.MutatingWebhookConfiguration{}} {
		text, err := os.ReadFile(filepath.Join(root(), "config", "webhook", name))
		if err != nil {
			return err
		}
		text = []byte(strings.Replace(string(text), "port: 443", fmt.Sprintf("port: %d", port), 1))
		if err := yaml.UnmarshalStrict(text, obj); err != nil {
			return err
		}
		if err := c.Create(context.Background(), obj); err != nil {
			return err
		}
	}
	service := &corev1.Service{}
	service.Namespace, service.Name = Namespace, "tidemark-webhook"
	service.Spec = corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "localhost"}
	return c.Create(context.Background(), service)
}
