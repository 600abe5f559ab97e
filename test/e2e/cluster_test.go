//go:build e2e

package e2e

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// cluster is a running control plane, seen by its administrator.
type cluster struct {
	client.Client
	config     *rest.Config
	kubeconfig string
	binary     string
	data       string
}

// newCluster starts a control plane.
func newCluster(data string) (*cluster, error) {
	binary, err := filepath.Abs("../../bin/cluster")
	if err != nil {
		return nil, err
	}
	c := &cluster{binary: binary, data: data}
	if _, err := c.cluster("up", "--detach", "--nodes", "4", "--with", "metrics-server,adapter,demand,vpa",
		"--flag", "kube-controller-manager=--horizontal-pod-autoscaler-sync-period=5s"); err != nil {
		return nil, err
	}
	if c.kubeconfig, err = c.cluster("kubeconfig"); err != nil {
		return nil, err
	}
	return c, c.connect()
}

func (c *cluster) connect() error {
	var err error
	if c.config, err = clientcmd.BuildConfigFromFlags("", c.kubeconfig); err != nil {
		return err
	}
	c.config.QPS, c.config.Burst = -1, -1
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, vpav1.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	c.Client, err = client.New(c.config, client.Options{Scheme: scheme})
	return err
}

// install brings the definitions and the controller's rights into the cluster,
// as a user would.
func (c *cluster) install() error {
	for _, args := range [][]string{
		{"apply", "--server-side", "-k", "../../config/rights"},
		{"wait", "--for=condition=Established", fmt.Sprint("--timeout=", patience), "crd", "--all"},
	} {
		if _, err := c.kubectl(args...); err != nil {
			return err
		}
	}
	return nil
}

// credentials writes a kubeconfig of the controller's ServiceAccount, who goes
// through the gate if there is one.
func (c *cluster) credentials(path string, through *gate) error {
	token, err := c.kubectl("create", "token", "tidemark", "-n", "tidemark-system", "--duration", "2h")
	if err != nil {
		return err
	}
	config := clientcmdapi.NewConfig()
	config.CurrentContext = "tidemark"
	config.Contexts["tidemark"] = &clientcmdapi.Context{Cluster: "tidemark", AuthInfo: "tidemark"}
	config.AuthInfos["tidemark"] = &clientcmdapi.AuthInfo{Token: token}
	server := &clientcmdapi.Cluster{Server: c.config.Host, CertificateAuthority: c.config.CAFile, CertificateAuthorityData: c.config.CAData}
	if through != nil {
		server = &clientcmdapi.Cluster{Server: through.server.URL, CertificateAuthorityData: through.authority()}
	}
	config.Clusters["tidemark"] = server
	return clientcmd.WriteToFile(*config, path)
}

// certificate is the path of a certificate of the cluster, or of a key.
func (c *cluster) certificate(file string) string { return filepath.Join(c.data, "pki", file) }

// cluster runs the program that keeps the control plane.
func (c *cluster) cluster(args ...string) (string, error) {
	return output(exec.Command(c.binary, append([]string{"--data", c.data}, args...)...))
}

func (c *cluster) kubectl(args ...string) (string, error) {
	return c.cluster(append([]string{"kubectl"}, args...)...)
}

// must is for what a test cannot go on without.
func (c *cluster) must(t *testing.T, args ...string) string {
	t.Helper()
	out, err := c.cluster(args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (c *cluster) down() {
	if _, err := c.cluster("down"); err != nil {
		fmt.Println(err)
	}
}

func output(cmd *exec.Cmd) (string, error) {
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}
