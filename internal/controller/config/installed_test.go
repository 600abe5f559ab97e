package config_test

import (
	"os"
	"path/filepath"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/controller/config"
)

// TestTheInstalledFileIsAccepted reads what an installation mounts.
func TestTheInstalledFileIsAccepted(t *testing.T) {
	for folder, wantWebhook := range map[string]bool{"manager": true, "without-webhook": false} {
		text, err := os.ReadFile("../../../config/" + folder + "/config.yaml")
		if err != nil {
			t.Fatal(err)
		}
		var object corev1.ConfigMap
		if err := yaml.UnmarshalStrict(text, &object); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(path, []byte(object.Data["config.yaml"]), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := config.Open(path)
		if err != nil {
			t.Fatalf("config/%s: %v", folder, err)
		}
		if got := file.Now().Webhook.Enabled; got != wantWebhook {
			t.Errorf("config/%s turns the webhook on: %v, want %v", folder, got, wantWebhook)
		}
	}
}
