package live

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// root is the repository, seen from the folders of tests.
const root = "../../"

// Cluster is a running control plane, seen by its administrator.
type Cluster struct {
	client.Client
	Config *rest.Config
	// Kubeconfig is the path of the administrator's.
	Kubeconfig string

	binary string
	data   string
}

// Up starts a control plane with four nodes and these add-ons.
func Up(data, with string, flags ...string) (*Cluster, error) {
	binary, err := filepath.Abs(root + "bin/cluster")
	if err != nil {
		return nil, err
	}
	c := &Cluster{binary: binary, data: data}
	args := []string{"up", "--detach", "--nodes", "4", "--with", with}
	for _, flag := range flags {
		args = append(args, "--flag", flag)
	}
	if _, err := c.Run(args...); err != nil {
		return nil, err
	}
	if c.Kubeconfig, err = c.Run("kubeconfig"); err != nil {
		return nil, err
	}
	return c, c.connect()
}

func (c *Cluster) connect() error {
	var err error
	if c.Config, err = clientcmd.BuildConfigFromFlags("", c.Kubeconfig); err != nil {
		return err
	}
	c.Config.QPS, c.Config.Burst = -1, -1
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, vpav1.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	c.Client, err = client.New(c.Config, client.Options{Scheme: scheme})
	return err
}

// Install brings the definitions and the controller's rights into the cluster,
// as a user would.
func (c *Cluster) Install() error {
	for _, args := range [][]string{
		{"apply", "--server-side", "-k", root + "config/rights"},
		{"wait", "--for=condition=Established", fmt.Sprint("--timeout=", Patience), "crd", "--all"},
	} {
		if _, err := c.Kubectl(args...); err != nil {
			return err
		}
	}
	return nil
}

// credentials writes a kubeconfig of the controller's ServiceAccount, for the API
// server or for what stands before it.
func (c *Cluster) credentials(path string, through *clientcmdapi.Cluster) error {
	token, err := c.Kubectl("create", "token", "tidemark", "-n", "tidemark-system", "--duration", "2h")
	if err != nil {
		return err
	}
	config := clientcmdapi.NewConfig()
	config.CurrentContext = "tidemark"
	config.Contexts["tidemark"] = &clientcmdapi.Context{Cluster: "tidemark", AuthInfo: "tidemark"}
	config.AuthInfos["tidemark"] = &clientcmdapi.AuthInfo{Token: token}
	if through == nil {
		through = &clientcmdapi.Cluster{Server: c.Config.Host, CertificateAuthority: c.Config.CAFile, CertificateAuthorityData: c.Config.CAData}
	}
	config.Clusters["tidemark"] = through
	return clientcmd.WriteToFile(*config, path)
}

// Certificate is the path of a certificate of the cluster, or of a key.
func (c *Cluster) Certificate(file string) string { return filepath.Join(c.data, "pki", file) }

// Run runs the program that keeps the control plane.
func (c *Cluster) Run(args ...string) (string, error) {
	return Output(exec.Command(c.binary, append([]string{"--data", c.data}, args...)...))
}

// Kubectl runs kubectl as the administrator.
func (c *Cluster) Kubectl(args ...string) (string, error) {
	return c.Run(append([]string{"kubectl"}, args...)...)
}

// Down ends the control plane.
func (c *Cluster) Down() {
	if _, err := c.Run("down"); err != nil {
		fmt.Println(err)
	}
}

// Output is what a program printed; where it failed, the error has it.
func Output(cmd *exec.Cmd) (string, error) {
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}
