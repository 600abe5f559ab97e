package webhook_test

import (
	"testing"

	ctrlwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/tidemark/tidemark/internal/controller/webhook"
)

// TestAddress: it is served where the configuration says.
func TestAddress(t *testing.T) {
	options := webhook.NewServer("127.0.0.1", 9443, webhook.Callers{}).Server.(*ctrlwebhook.DefaultServer).Options
	if options.Host != "127.0.0.1" || options.Port != 9443 {
		t.Errorf("it is served at %s:%d", options.Host, options.Port)
	}
}
