//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/tidemark/tidemark/test/live"
)

// cluster is a running control plane, seen by its administrator.
type cluster struct{ *live.Cluster }

// withoutResize is set where the cluster is to have no resizing in place. Only
// versions in which that can be turned off can be started so.
var withoutResize = os.Getenv("TIDEMARK_WITHOUT_RESIZE") != ""

// newCluster starts a control plane with everything there is.
func newCluster(data string) (*cluster, error) {
	shape := live.Tests
	flag, err := introduced(data)
	if err != nil {
		return nil, err
	}
	shape.Flags = append(slices.Clone(shape.Flags), flag)
	if withoutResize {
		for _, component := range []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler"} {
			shape.Flags = append(slices.Clone(shape.Flags), component+"=--feature-gates=InPlacePodVerticalScaling=false")
		}
	}
	c, err := live.Up(context.Background(), data, shape)
	return &cluster{c}, err
}

// introduced makes an API server show webhooks who it is, by the certificate that it
// shows kubelets. Those that do not ask never see it.
func introduced(data string) (string, error) {
	config, callers := filepath.Join(filepath.Dir(data), "admission.yaml"), clientcmdapi.NewConfig()
	callers.AuthInfos["*"] = &clientcmdapi.AuthInfo{
		ClientCertificate: filepath.Join(data, "pki", "kubelet-client.crt"), ClientKey: filepath.Join(data, "pki", "kubelet-client.key"),
	}
	if err := clientcmd.WriteToFile(*callers, config+".kubeconfig"); err != nil {
		return "", err
	}
	text := fmt.Sprintf(`apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: MutatingAdmissionWebhook
  configuration:
    apiVersion: apiserver.config.k8s.io/v1
    kind: WebhookAdmissionConfiguration
    kubeConfigFile: %s.kubeconfig
`, config)
	return "kube-apiserver=--admission-control-config-file=" + config, os.WriteFile(config, []byte(text), 0o600)
}

// must is for what a test cannot go on without.
func (c *cluster) must(t *testing.T, args ...string) string {
	t.Helper()
	out, err := c.Run(args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
