package live

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"k8s.io/client-go/discovery"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// root is the repository, which everyone who starts a cluster works in.
func root() string {
	for folder := "."; len(folder) < 100; folder = filepath.Join("..", folder) {
		if _, err := os.Stat(filepath.Join(folder, "config", "rights")); err == nil {
			return folder
		}
	}
	return "."
}

// Cluster is a running control plane, seen by its administrator.
type Cluster struct {
	client.Client
	Config *rest.Config
	// Kubeconfig is the path of the administrator's.
	Kubeconfig string

	binary string
	data   string
}

// Shape is what a control plane is made of.
type Shape struct {
	Nodes int
	// With lists its add-ons, Flags are those of its programs.
	With  string
	Flags []string
	// Out is told how far it is; nobody is, where it is nil.
	Out io.Writer
}

// Tests is the control plane that tests run on.
var Tests = Shape{
	Nodes: 4, With: "metrics-server,adapter,demand,vpa",
	Flags: []string{"kube-controller-manager=--horizontal-pod-autoscaler-sync-period=5s"},
}

// Up starts a control plane that keeps its files in a folder.
func Up(ctx context.Context, data string, s Shape) (*Cluster, error) {
	binary, err := filepath.Abs(filepath.Join(root(), "bin", "cluster"))
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(binary); err != nil {
		return nil, fmt.Errorf("%w: run make cluster", err)
	}
	c := &Cluster{binary: binary, data: data}
	args := []string{"--data", data, "up", "--detach", "--nodes", strconv.Itoa(s.Nodes), "--with", s.With}
	for _, flag := range s.Flags {
		args = append(args, "--flag", flag)
	}
	up := exec.CommandContext(ctx, binary, args...)
	if up.Stdout, up.Stderr = s.Out, s.Out; s.Out != nil {
		err = up.Run()
	} else {
		_, err = Output(up)
	}
	if err == nil {
		c.Kubeconfig, err = c.Run("kubeconfig")
	}
	if err == nil {
		err = c.connect()
	}
	if err != nil {
		c.Down()
		return nil, fmt.Errorf("starting the control plane: %w", err)
	}
	return c, nil
}

func (c *Cluster) connect() error {
	var err error
	if c.Config, err = clientcmd.BuildConfigFromFlags("", c.Kubeconfig); err != nil {
		return err
	}
	c.Config.QPS, c.Config.Burst = -1, -1
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, metricsv1beta1.AddToScheme, vpav1.AddToScheme, v1alpha1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	c.Client, err = client.New(c.Config, client.Options{Scheme: scheme})
	return err
}

// Older is the version for which config has folders of their own, where the
// cluster is of that version; empty otherwise.
func (c *Cluster) Older() (string, error) {
	groups, err := discovery.NewDiscoveryClientForConfig(c.Config)
	if err != nil {
		return "", err
	}
	version, err := groups.ServerVersion()
	if err != nil || version.Major+"."+version.Minor != "1.33" {
		return "", err
	}
	return "1.33", nil
}

// Install brings the definitions and the controller's rights into the cluster,
// as a user would.
func (c *Cluster) Install() error {
	older, err := c.Older()
	if err != nil {
		return err
	}
	folder := "rights"
	if older != "" {
		folder += "-" + older
	}
	for _, args := range [][]string{
		{"apply", "--server-side", "-k", filepath.Join(root(), "config", folder)},
		{"wait", "--for=condition=Established", fmt.Sprint("--timeout=", Patience), "crd", "--all"},
	} {
		if _, err := c.Kubectl(args...); err != nil {
			return err
		}
	}
	return nil
}

// Credentials writes a kubeconfig of a ServiceAccount, for the API server or for
// what stands before it.
func (c *Cluster) Credentials(path, namespace, account string, through *clientcmdapi.Cluster) error {
	token, err := c.Kubectl("create", "token", account, "-n", namespace, "--duration", "12h")
	if err != nil {
		return err
	}
	config := clientcmdapi.NewConfig()
	config.CurrentContext = account
	config.Contexts[account] = &clientcmdapi.Context{Cluster: account, AuthInfo: account}
	config.AuthInfos[account] = &clientcmdapi.AuthInfo{Token: token}
	through = cmp.Or(through, &clientcmdapi.Cluster{Server: c.Config.Host, CertificateAuthority: c.Config.CAFile, CertificateAuthorityData: c.Config.CAData})
	config.Clusters[account] = through
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
		fmt.Fprintln(os.Stderr, err)
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
