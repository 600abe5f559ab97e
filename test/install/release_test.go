//go:build e2e

package install_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// patience is how long Helm and kubectl wait for something that has to come. It
// is several times what anything takes, because the machine may be busy.
const patience = "10m"

// A release is what Helm makes of the chart in a real cluster.
type release struct {
	t                        *testing.T
	binary, data, kubeconfig string
}

// TestRelease does with Helm's own program what docs/install.md says: install,
// upgrade, uninstall. Pods of the Deployment run on fake nodes, so what is shown
// is that the API server takes every object, and what happens to them.
func TestRelease(t *testing.T) {
	r := newRelease(t)
	r.helm("install", "tidemark", chartFolder, "--create-namespace", "--wait", "--timeout", patience,
		"--set", "image.repository=registry.example.net/tidemark", "--set", "image.tag=v0.1.0")
	r.want("2 registry.example.net/tidemark:v0.1.0", "get", "deployment", "tidemark", "-o",
		"jsonpath={.status.readyReplicas} {.spec.template.spec.containers[0].image}")
	r.kubectl("wait", "--for=condition=Established", "--timeout="+patience, "crd", "workloadautoscalers.autoscaling.tidemark.dev")
	r.kubectl("apply", "-n", "demo", "-f", "../../examples/demo/namespace.yaml", "-f", "../../examples/demo/watermarks.yaml")

	r.helm("upgrade", "tidemark", chartFolder, "--reuse-values", "--wait", "--timeout", patience, "--set", "image.tag=v0.2.0", "--set", "replicas=3")
	r.want("3 registry.example.net/tidemark:v0.2.0", "get", "deployment", "tidemark", "-o",
		"jsonpath={.status.readyReplicas} {.spec.template.spec.containers[0].image}")

	r.helm("uninstall", "tidemark", "--wait", "--timeout", patience)
	r.want("", "get", "deployments,services,configmaps,roles,rolebindings,networkpolicies,poddisruptionbudgets", "-o", "name", "-l",
		"app.kubernetes.io/name=tidemark")
	r.want("", "get", "clusterroles,clusterrolebindings,mutatingwebhookconfigurations", "-o", "name", "-l", "app.kubernetes.io/name=tidemark")
	r.want("workloadautoscaler.autoscaling.tidemark.dev/web", "get", "workloadautoscalers", "-n", "demo", "-o", "name")
}

// newRelease starts a control plane that ends with the test.
func newRelease(t *testing.T) *release {
	binary, err := filepath.Abs("../../bin/cluster")
	if err != nil {
		t.Fatal(err)
	}
	r := &release{t: t, binary: binary, data: t.TempDir()}
	r.run(exec.Command(r.binary, "--data", r.data, "up", "--detach", "--nodes", "3"))
	t.Cleanup(func() { r.run(exec.Command(r.binary, "--data", r.data, "down")) })
	r.kubeconfig = r.run(exec.Command(r.binary, "--data", r.data, "kubeconfig"))
	return r
}

func (r *release) helm(args ...string) {
	r.t.Helper()
	r.run(exec.Command("go", append([]string{"tool", "helm", "--kubeconfig", r.kubeconfig, "--namespace", namespace}, args...)...))
}

// kubectl looks into the namespace of the release unless it is told another.
func (r *release) kubectl(args ...string) string {
	r.t.Helper()
	return r.run(exec.Command(r.binary, append([]string{"--data", r.data, "kubectl", "--namespace", namespace}, args...)...))
}

func (r *release) want(want string, args ...string) {
	r.t.Helper()
	if got := r.kubectl(args...); got != want {
		r.t.Errorf("kubectl %s is\n%q, want\n%q", strings.Join(args, " "), got, want)
	}
}

// run returns what a program prints to its standard output.
func (r *release) run(cmd *exec.Cmd) string {
	r.t.Helper()
	var mistakes strings.Builder
	cmd.Stderr = &mistakes
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatal(fmt.Errorf("%s: %w\n%s%s", strings.Join(cmd.Args, " "), err, out, mistakes.String()))
	}
	return strings.TrimSpace(string(out))
}
