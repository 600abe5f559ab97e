package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/tidemark/tidemark/test/live"
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
	*live.Cluster
	folder string
	log    io.Writer
	// credentials writes a kubeconfig of an account.
	credentials func(path, namespace, account string) error
	running     []*program
	// owned names the set of objects that are there.
	owned string
	// servers are the processes that answer requests: the API server and
	// metrics-server.
	servers []int
}

// start brings the control plane up, large enough for a fleet. Its controller
// manager has no HPA controller, and makes thousands of pods without waiting.
func start(ctx context.Context, folder string, f fleet) (*plane, error) {
	p := &plane{folder: folder, log: os.Stderr}
	policy := filepath.Join(folder, "audit.yaml")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		return nil, err
	}
	p.credentials = func(path, namespace, account string) error { return p.Credentials(path, namespace, account, nil) }
	p.say("Starting a control plane for %d workloads.", f.objects)
	addons := "metrics-server"
	if f.sleeps {
		addons += ",adapter"
	}
	var err error
	p.Cluster, err = live.Up(ctx, filepath.Join(folder, "cluster"), live.Shape{
		Nodes: f.objects*f.pods/f.perNode + 1, With: addons, Out: p.log,
		Flags: append(f.flags,
			"kube-apiserver=--audit-policy-file="+policy,
			"kube-apiserver=--audit-log-path="+p.audit(),
			"kube-apiserver=--audit-log-maxsize=10000",
			"kube-controller-manager=--controllers=*,-horizontal-pod-autoscaler-controller",
			"kube-controller-manager=--kube-api-qps=1000", "kube-controller-manager=--kube-api-burst=2000",
			"kube-scheduler=--kube-api-qps=1000", "kube-scheduler=--kube-api-burst=2000",
		),
	})
	if err != nil {
		return nil, err
	}
	if err := p.findServers(); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

func (p *plane) audit() string { return filepath.Join(p.folder, "audit.log") }

func (p *plane) say(format string, args ...any) {
	fmt.Fprintf(p.log, time.Now().Format("15:04:05 ")+format+"\n", args...)
}

func (p *plane) findServers() error {
	text, err := p.Run("status", "-o", "json")
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

// install brings the definitions and the rights of both sides into the cluster.
func (p *plane) install() error {
	p.say("Installing the definitions and the rights of both sides.")
	if err := p.Install(); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"apply", "--server-side", "-k", "config/kubelets"},
		{"create", "namespace", hpaHome},
		{"create", "serviceaccount", hpaAccount, "-n", hpaHome},
		{"create", "clusterrolebinding", "bench-hpa", "--clusterrole=system:controller:horizontal-pod-autoscaler", "--serviceaccount=" + hpaHome + ":" + hpaAccount},
		// Its caches have the rights of the whole controller manager.
		{"create", "clusterrolebinding", "bench-hpa-caches", "--clusterrole=system:kube-controller-manager", "--serviceaccount=" + hpaHome + ":" + hpaAccount},
	} {
		if _, err := p.Kubectl(args...); err != nil {
			return err
		}
	}
	return nil
}

// stop ends everything that was started.
func (p *plane) stop() {
	for len(p.running) > 0 {
		p.end(p.running[len(p.running)-1])
	}
	p.Down()
}
