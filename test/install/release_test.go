//go:build e2e

package install_test

import (
	"fmt"
	"os"
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

// TestRelease does with Helm's own program and with kubectl what docs/install.md says:
// install, upgrade, uninstall. Pods of the Deployment run on fake nodes, so what is shown
// is that the API server takes every object, and what happens to them.
func TestRelease(t *testing.T) {
	r := newRelease(t)
	r.withTheChart()
	r.want("workloadautoscaler.autoscaling.tidemark.dev/web", "get", "workloadautoscalers", "-n", "demo", "-o", "name")
	r.kubectl("delete", "crd", "workloadautoscalers.autoscaling.tidemark.dev", "workloadhistories.autoscaling.tidemark.dev",
		"workloadcourses.autoscaling.tidemark.dev")
	r.want("", "api-resources", "--api-group", "autoscaling.tidemark.dev", "-o", "name")
	r.withKustomize()
	r.withDefinitionsOfOthers()
}

// withTheChart installs, upgrades, lets Prometheus in, and uninstalls.
func (r *release) withTheChart() {
	r.t.Helper()
	r.helm("install", "tidemark", chartFolder, "--create-namespace", "--wait", "--timeout", patience,
		"--set", "image.repository=registry.example.net/tidemark", "--set", "image.tag=v0.1.0")
	r.runs("2 registry.example.net/tidemark:v0.1.0")
	r.kubectl("wait", "--for=condition=Established", "--timeout="+patience, "crd", "workloadautoscalers.autoscaling.tidemark.dev")
	r.kubectl("apply", "-n", "demo", "-f", "../../examples/demo/namespace.yaml", "-f", "../../examples/demo/watermarks.yaml")

	r.helm("upgrade", "tidemark", chartFolder, "--reuse-values", "--wait", "--timeout", patience, "--set", "image.tag=v0.2.0", "--set", "replicas=3")
	r.runs("3 registry.example.net/tidemark:v0.2.0")

	r.kubectl("apply", "-f", "testdata/servicemonitors.yaml")
	r.kubectl("wait", "--for=condition=Established", "--timeout="+patience, "crd", "servicemonitors.monitoring.coreos.com")
	r.helm("upgrade", "tidemark", chartFolder, "--reuse-values", "--set", "metrics.readers[0].namespace=monitoring",
		"--set", "metrics.readers[0].name=prometheus", "--set", "metrics.serviceMonitor.enabled=true")
	r.want("yes", "auth", "can-i", "get", "/metrics", "--as", "system:serviceaccount:monitoring:prometheus")
	r.want("true", "get", "servicemonitor", "tidemark", "-o", "jsonpath={.spec.endpoints[0].honorLabels}")

	r.helm("uninstall", "tidemark", "--wait", "--timeout", patience)
	r.want("", "get", "deployments,services,configmaps,roles,rolebindings,networkpolicies,poddisruptionbudgets,servicemonitors", "-o", "name", "-l",
		"app.kubernetes.io/name=tidemark")
	r.want("", "get", "clusterroles,clusterrolebindings,mutatingwebhookconfigurations", "-o", "name", "-l", "app.kubernetes.io/name=tidemark")
}

// withKustomize applies an overlay of config/default, and deletes it.
func (r *release) withKustomize() {
	r.t.Helper()
	ours := r.t.TempDir()
	base, err := filepath.Abs("../../config/default")
	if err == nil {
		base, err = filepath.Rel(ours, base)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(ours, "kustomization.yaml"), fmt.Appendf(nil, "resources: [%q]\nimages:\n"+
			"- {name: registry.example.com/tidemark, newName: registry.example.net/tidemark, newTag: v0.1.0}\n", base), 0o600)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.kubectl("delete", "namespace", namespace, "--ignore-not-found")
	r.kubectl("apply", "--server-side", "-k", ours)
	r.kubectl("wait", "--for=condition=Available", "--timeout="+patience, "deployment", "tidemark")
	r.runs("2 registry.example.net/tidemark:v0.1.0")
	r.kubectl("delete", "-k", ours)
	r.want("", "get", "namespace", namespace, "--ignore-not-found", "-o", "name")
}

// withDefinitionsOfOthers installs the chart without its definitions, beside those of the
// release before, and upgrades them first.
func (r *release) withDefinitionsOfOthers() {
	r.t.Helper()
	r.kubectl("apply", "--server-side", "-f", "../../docs/api/released")
	r.helm("install", "tidemark", chartFolder, "--create-namespace", "--wait", "--timeout", patience, "--set", "crds.install=false")
	r.kubectl("apply", "--server-side", "-k", "../../config/crd")
	r.helm("upgrade", "tidemark", chartFolder, "--reuse-values", "--wait", "--timeout", patience, "--set", "image.tag=v0.2.0")
	r.runs("2 registry.example.com/tidemark:v0.2.0")
	r.want("workloadautoscalers workloadcourses workloadhistories", "get", "crd", "-o",
		`jsonpath={.items[?(@.spec.group=="autoscaling.tidemark.dev")].spec.names.plural}`)
	r.want("", "get", "crd", "-l", "app.kubernetes.io/managed-by=Helm", "-o", "name")
}

// runs looks how many pods of the Deployment are ready, and of which image.
func (r *release) runs(want string) {
	r.t.Helper()
	r.want(want, "get", "deployment", "tidemark", "-o", "jsonpath={.status.readyReplicas} {.spec.template.spec.containers[0].image}")
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
