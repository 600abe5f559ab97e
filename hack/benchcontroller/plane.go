package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

const (
	clusterBinary  = "bin/cluster"
	tidemarkBinary = "bin/tidemark"
	// grace is how long a program may take to end before it is killed.
	grace = 10 * time.Second
	// perNode is how many pods of ours a fake node gets; it takes 250.
	perNode = 240
)

// auditPolicy logs what the two sides ask for, and nothing else.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted]
rules:
- level: Metadata
  users: ["` + hpaUser + `", "` + tidemarkUser + `"]
- level: None
`

// plane is the control plane and what runs on it.
type plane struct {
	client.Client
	rest       *rest.Config
	folder     string
	kubeconfig string
	log        io.Writer
	running    []*program
	// servers are the processes that answer requests: the API server and
	// metrics-server.
	servers []int
}

// start brings the control plane up, large enough for a fleet. Its controller
// manager has no HPA controller, and makes thousands of pods without waiting.
func start(ctx context.Context, folder string, f fleet) (*plane, error) {
	p := &plane{folder: folder, log: os.Stderr}
	for _, binary := range []string{clusterBinary, tidemarkBinary} {
		if _, err := os.Stat(binary); err != nil {
			return nil, fmt.Errorf("%s is missing: run make bench-controller in the root of the repository", binary)
		}
	}
	policy := filepath.Join(folder, "audit.yaml")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		return nil, err
	}
	p.say("Starting a control plane for %d workloads.", f.objects)
	args := []string{"--data", p.data(), "up", "--detach", "--with", "metrics-server", "--nodes", fmt.Sprint(f.objects*f.pods/perNode + 1)}
	for _, flag := range []string{
		"kube-apiserver=--audit-policy-file=" + policy,
		"kube-apiserver=--audit-log-path=" + p.audit(),
		"kube-apiserver=--audit-log-maxsize=10000",
		"kube-controller-manager=--controllers=*,-horizontal-pod-autoscaler-controller",
		"kube-controller-manager=--kube-api-qps=1000", "kube-controller-manager=--kube-api-burst=2000",
		"kube-scheduler=--kube-api-qps=1000", "kube-scheduler=--kube-api-burst=2000",
	} {
		args = append(args, "--flag", flag)
	}
	up := exec.CommandContext(ctx, clusterBinary, args...)
	up.Stdout, up.Stderr = p.log, p.log
	err := up.Run()
	if err == nil {
		err = p.connect(ctx)
	}
	if err != nil {
		p.stop()
		return nil, fmt.Errorf("starting the control plane: %w", err)
	}
	return p, nil
}

func (p *plane) data() string  { return filepath.Join(p.folder, "cluster") }
func (p *plane) audit() string { return filepath.Join(p.folder, "audit.log") }

func (p *plane) say(format string, args ...any) {
	fmt.Fprintf(p.log, time.Now().Format("15:04:05 ")+format+"\n", args...)
}

func (p *plane) connect(ctx context.Context) error {
	var err error
	if p.kubeconfig, err = p.cluster(ctx, "kubeconfig"); err != nil {
		return err
	}
	if p.rest, err = clientcmd.BuildConfigFromFlags("", p.kubeconfig); err != nil {
		return err
	}
	p.rest.QPS, p.rest.Burst = 1000, 2000
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme, v1beta1.AddToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	if p.Client, err = client.New(p.rest, client.Options{Scheme: scheme}); err != nil {
		return err
	}
	return p.findServers(ctx)
}

func (p *plane) findServers(ctx context.Context) error {
	text, err := p.cluster(ctx, "status", "-o", "json")
	if err != nil {
		return err
	}
	var status struct {
		Components []struct {
			Component string
			PID       int
		}
	}
	if err := json.Unmarshal([]byte(text), &status); err != nil {
		return fmt.Errorf("reading the state of the cluster: %w", err)
	}
	for _, c := range status.Components {
		if c.Component == "kube-apiserver" || c.Component == "metrics-server" {
			p.servers = append(p.servers, c.PID)
		}
	}
	return nil
}

// cluster runs a command of the program that keeps the control plane.
func (p *plane) cluster(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, clusterBinary, append([]string{"--data", p.data()}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("cluster %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// install brings the definitions and the rights of both sides into the cluster.
func (p *plane) install(ctx context.Context) error {
	p.say("Installing the definitions and the rights of both sides.")
	for _, args := range [][]string{
		{"apply", "--server-side", "-k", "config/rights"},
		{"wait", "--for=condition=Established", "--timeout=60s", "crd", "--all"},
		{"create", "namespace", hpaHome},
		{"create", "serviceaccount", hpaAccount, "-n", hpaHome},
		{"create", "clusterrolebinding", "bench-hpa", "--clusterrole=system:controller:horizontal-pod-autoscaler", "--serviceaccount=" + hpaHome + ":" + hpaAccount},
		// Its caches have the rights of the whole controller manager.
		{"create", "clusterrolebinding", "bench-hpa-caches", "--clusterrole=system:kube-controller-manager", "--serviceaccount=" + hpaHome + ":" + hpaAccount},
	} {
		if _, err := p.cluster(ctx, append([]string{"kubectl"}, args...)...); err != nil {
			return err
		}
	}
	return nil
}

// kubeconfigOf makes a kubeconfig with a token of a service account.
func (p *plane) kubeconfigOf(ctx context.Context, namespace, account string) (string, error) {
	token, err := p.cluster(ctx, "kubectl", "create", "token", account, "-n", namespace, "--duration=12h")
	if err != nil {
		return "", err
	}
	config, err := clientcmd.LoadFromFile(p.kubeconfig)
	if err != nil {
		return "", err
	}
	for name := range config.AuthInfos {
		config.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: token}
	}
	path := filepath.Join(p.folder, account+".kubeconfig")
	return path, clientcmd.WriteToFile(*config, path)
}

// stop ends everything that was started.
func (p *plane) stop() {
	for len(p.running) > 0 {
		p.end(p.running[len(p.running)-1])
	}
	ctx, cancel := context.WithTimeout(context.Background(), 6*grace)
	defer cancel()
	if _, err := p.cluster(ctx, "down"); err != nil && !errors.Is(err, os.ErrNotExist) {
		fmt.Fprintln(p.log, err)
	}
}
