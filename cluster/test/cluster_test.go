//go:build cluster

package test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// binary is built by `make cluster`; the test builds nothing.
const binary = "../../bin/cluster"

// patience bounds every wait. It is several times the two minutes that a
// component may take to answer, because one may have to wait for the other and
// the machine may be busy; a condition that comes early ends the wait early.
const patience = 10 * time.Minute

// status is what the test reads out of `cluster status -o json`.
type status struct {
	Ready                bool   `json:"ready"`
	PID                  int    `json:"pid"`
	Server               string `json:"server"`
	CertificateAuthority string `json:"certificateAuthority"`
	Components           []struct {
		Name  string `json:"component"`
		State string `json:"state"`
		PID   int    `json:"pid"`
		Ready bool   `json:"ready"`
	} `json:"components"`
}

// cluster is a running cluster under test.
type cluster struct {
	*testing.T
	dir string
	// as runs the binary as another user, who has it in this folder; nil as
	// the test's own.
	as   *syscall.Credential
	home string
}

// run runs the binary and returns what it printed and whether it succeeded.
func (c cluster) run(stdin string, args ...string) (string, bool) {
	c.Helper()
	cmd := exec.Command(binary, append([]string{"--data", c.dir}, args...)...)
	if c.as != nil {
		cmd.Path, cmd.Dir = filepath.Join(c.home, filepath.Base(binary)), c.home
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.as}
	}
	cmd.Stdin = strings.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		c.Fatalf("running %s: %v (`make cluster` builds it)", binary, err)
	}
	if err != nil {
		return string(out) + errs.String(), false
	}
	return string(out), true
}

// must runs the binary and fails the test when it fails.
func (c cluster) must(stdin string, args ...string) string {
	c.Helper()
	out, ok := c.run(stdin, args...)
	if !ok {
		c.Fatalf("cluster %s failed:\n%s", strings.Join(args, " "), out)
	}
	return out
}

// eventually waits until the command's output satisfies the condition.
func (c cluster) eventually(what string, want func(out string) bool, args ...string) {
	c.Helper()
	var last string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
		out, ok := c.run("", args...)
		if ok && want(out) {
			return
		}
		last = out
	}
	c.Fatalf("%s: never happened; the last answer of `cluster %s`:\n%s", what, strings.Join(args, " "), last)
}

func (c cluster) status() status {
	c.Helper()
	out, _ := c.run("", "status", "-o", "json") // The exit code says no more than the field ready.
	var s status
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		c.Fatalf("reading the status: %v\n%s", err, out)
	}
	return s
}

// equals is a condition for eventually.
func equals(want string) func(string) bool {
	return func(out string) bool { return strings.TrimSpace(out) == want }
}

func contains(want string) func(string) bool {
	return func(out string) bool { return strings.Contains(out, want) }
}

const workload = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations: {cluster.tidemark.dev/demand-cpu: "1"}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: example.com/web
        resources: {requests: {cpu: 500m, memory: 64Mi}}
`

const script = `
apiVersion: v1
kind: ConfigMap
metadata: {name: metrics-adapter, namespace: kube-system}
data:
  queue: |
    external: queue_length
    labels: {queue: orders}
    value: "42"
  broken: |
    external: broken
    value: error
  rate: |
    custom: requests_per_second
    total: "100"
`

func TestCluster(t *testing.T) {
	c := cluster{T: t, dir: filepath.Join(t.TempDir(), "data")}
	t.Cleanup(func() { c.run("", "down") })
	c.must("", "up", "--detach")
	began := c.status()
	if !began.Ready || len(began.Components) != 8 {
		t.Fatalf("status after up: %+v, want 8 components, all ready", began)
	}
	c.must(workload, "kubectl", "apply", "-f", "-")
	c.must(script, "kubectl", "apply", "--server-side", "--force-conflicts", "-f", "-")
	t.Run("pods run", func(t *testing.T) { cluster{T: t, dir: c.dir}.podsRun() })
	t.Run("scripted metrics", func(t *testing.T) { cluster{T: t, dir: c.dir}.scriptedMetrics() })
	t.Run("resize in place", func(t *testing.T) { cluster{T: t, dir: c.dir}.resize() })
	t.Run("kill and readiness", func(t *testing.T) { cluster{T: t, dir: c.dir}.killAndReadiness() })
	t.Run("usage of shared demand", func(t *testing.T) { cluster{T: t, dir: c.dir}.usage() })
	t.Run("service account token", func(t *testing.T) { cluster{T: t, dir: c.dir}.token() })
	t.Run("restart of the API server", func(t *testing.T) { cluster{T: t, dir: c.dir}.restart() })
	ended := c.status()
	c.must("", "down")
	if _, err := os.Stat(c.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the data folder after down: %v, want it gone", err)
	}
	c.gone(ended)
}

// TestKilledSupervisor ends the supervisor the hard way: its components must
// end with it, and what is left of its folder must not be in the way.
func TestKilledSupervisor(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends a child together with its parent")
	}
	c := cluster{T: t, dir: filepath.Join(t.TempDir(), "data")}
	t.Cleanup(func() { c.run("", "down") })
	c.must("", "up", "--detach", "--with", "", "--nodes", "1")
	began := c.status()
	if err := syscall.Kill(began.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	c.gone(began)
	if out, ok := c.run("", "status"); ok || !strings.Contains(out, "no cluster is running") {
		t.Errorf("status of a cluster that was killed: %q, want that none is running", out)
	}
	c.must("", "down")
	if _, err := os.Stat(c.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the data folder after down: %v, want it gone", err)
	}
}

// TestAsAUser: nothing needs root. Where the test is no root, all of the others
// show that already, and this is one more.
func TestAsAUser(t *testing.T) {
	home, err := os.MkdirTemp("", "cluster-user-") //nolint:usetesting // nobody else may enter what t.TempDir makes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	c := cluster{T: t, dir: filepath.Join(home, "data"), home: home}
	if os.Geteuid() == 0 {
		c.becomeNobody()
	}
	t.Cleanup(func() { c.run("", "down") })
	c.must("", "up", "--detach", "--nodes", "1")
	c.must(workload, "kubectl", "apply", "-f", "-")
	c.podsRun()
	if folder, err := os.Stat(c.dir); err != nil || c.as != nil && folder.Sys().(*syscall.Stat_t).Uid != c.as.Uid {
		t.Errorf("the data folder does not belong to the user: %+v, %v", folder, err)
	}
	began := c.status()
	c.must("", "down")
	c.gone(began)
}

// becomeNobody gives the home to a user without rights, and a copy of the binary:
// where the repository is, that user may not be able to look.
func (c *cluster) becomeNobody() {
	c.Helper()
	program, err := os.ReadFile(binary)
	if err != nil {
		c.Fatalf("%v (`make cluster` builds it)", err)
	}
	if err := os.WriteFile(filepath.Join(c.home, filepath.Base(binary)), program, 0o755); err != nil {
		c.Fatal(err)
	}
	const nobody = 65534
	c.as = &syscall.Credential{Uid: nobody, Gid: nobody}
	if err := os.Chown(c.home, nobody, nobody); err != nil {
		c.Fatal(err)
	}
}

// gone waits until no component's process is left.
func (c cluster) gone(was status) {
	c.Helper()
	for _, one := range was.Components {
		end := time.Now().Add(patience)
		for !errors.Is(syscall.Kill(one.PID, 0), syscall.ESRCH) {
			if time.Now().After(end) {
				c.Fatalf("%s (process %d) is still there", one.Name, one.PID)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
}

func (c cluster) podsRun() {
	c.eventually("four pods run", equals("Running Running Running Running"),
		"kubectl", "get", "pods", "-l", "app=web", "-o", "jsonpath={.items[*].status.phase}")
	c.eventually("four pods are ready", equals("4"),
		"kubectl", "get", "deployment", "web", "-o", "jsonpath={.status.readyReplicas}")
}

func (c cluster) scriptedMetrics() {
	external := "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/"
	c.eventually("the external value is served", contains(`"value":"42"`),
		"kubectl", "get", "--raw", external+"queue_length?labelSelector=queue%3Dorders")
	c.eventually("another label has no value", contains(`"items":[]`),
		"kubectl", "get", "--raw", external+"queue_length?labelSelector=queue%3Dother")
	if out, ok := c.run("", "kubectl", "get", "--raw", external+"broken"); ok || !strings.Contains(out, "InternalError") {
		c.Errorf("a scripted error answers %q, want an internal error", out)
	}
	c.eventually("a total is shared over four pods", func(out string) bool { return strings.Count(out, `"value":"25"`) == 4 },
		"kubectl", "get", "--raw", "/apis/custom.metrics.k8s.io/v1beta2/namespaces/default/pods/*/requests_per_second?labelSelector=app%3Dweb")
}

// firstPod is the name of one pod of the workload.
func (c cluster) firstPod() string {
	return strings.TrimSpace(c.must("", "kubectl", "get", "pods", "-l", "app=web", "-o", "jsonpath={.items[0].metadata.name}"))
}

func (c cluster) resize() {
	pod := c.firstPod()
	order := func(cpu string) {
		c.must("", "kubectl", "patch", "pod", pod, "--subresource=resize",
			"-p", `{"spec":{"containers":[{"name":"web","resources":{"requests":{"cpu":"`+cpu+`"}}}]}}`)
	}
	get := func(path string) []string { return []string{"kubectl", "get", "pod", pod, "-o", "jsonpath=" + path} }
	const actual = "{.status.containerStatuses[0].resources.requests.cpu} {.status.containerStatuses[0].allocatedResources.cpu}"
	const pending = `{.status.conditions[?(@.type=="PodResizePending")].reason}`
	order("750m")
	c.eventually("a resize is carried out", equals("750m 750m"), get(actual)...)
	c.must("", "kubectl", "annotate", "pod", pod, "cluster.tidemark.dev/resize=infeasible")
	order("900m")
	c.eventually("a refused resize is pending", equals("Infeasible"), get(pending)...)
	c.must("", "kubectl", "annotate", "--overwrite", "pod", pod, "cluster.tidemark.dev/resize=deferred")
	c.eventually("a deferred resize is pending", equals("Deferred"), get(pending)...)
	c.eventually("a pending resize changes nothing", equals("750m 750m"), get(actual)...)
	c.must("", "kubectl", "annotate", "pod", pod, "cluster.tidemark.dev/resize-")
	c.eventually("a resize that is no longer refused is carried out", equals("900m 900m"), get(actual)...)
	c.eventually("nothing is pending", equals(""), get(pending)...)

	const progress = `{.status.conditions[?(@.type=="PodResizeInProgress")].status}`
	c.must("", "kubectl", "annotate", "pod", pod, "cluster.tidemark.dev/resize-seconds=5")
	order("800m")
	c.eventually("a slow resize is in progress", equals("True"), get(progress)...)
	c.eventually("and then carried out", equals("800m 800m"), get(actual)...)
	c.eventually("nothing is in progress", equals(""), get(progress)...)
	c.must("", "kubectl", "annotate", "pod", pod, "cluster.tidemark.dev/resize-seconds-", "cluster.tidemark.dev/resize=deferred",
		"cluster.tidemark.dev/resize-deferred-seconds=3")
	order("700m")
	c.eventually("a resize is deferred", equals("Deferred"), get(pending)...)
	c.eventually("until the node has room again", equals("700m 700m"), get(actual)...)
	c.eventually("nothing is pending any more", equals(""), get(pending)...)
	c.must("", "kubectl", "annotate", "pod", pod, "cluster.tidemark.dev/resize-deferred-seconds-")
}

func (c cluster) killAndReadiness() {
	pod := c.firstPod()
	get := func(path string) []string { return []string{"kubectl", "get", "pod", pod, "-o", "jsonpath=" + path} }
	const ready = `{.status.conditions[?(@.type=="Ready")].status}`
	c.must("", "kubectl", "annotate", "pod", pod, "cluster.tidemark.dev/oom-kills=2")
	c.eventually("the container was killed twice", equals("2 OOMKilled"),
		get("{.status.containerStatuses[0].restartCount} {.status.containerStatuses[0].lastState.terminated.reason}")...)
	c.eventually("the pod is ready again", equals("True"), get(ready)...)
	c.must("", "kubectl", "annotate", "pod", pod, "cluster.tidemark.dev/ready=false")
	c.eventually("the pod is not ready", equals("False"), get(ready)...)
	c.must("", "kubectl", "annotate", "pod", pod, "cluster.tidemark.dev/ready-")
	c.eventually("the pod is ready once more", equals("True"), get(ready)...)
}

// usage follows a demand of one core over four ready pods.
func (c cluster) usage() {
	c.eventually("each pod is told a quarter of the demand", equals("250m 250m 250m 250m"), "kubectl", "get", "pods",
		"-l", "app=web", "-o", `jsonpath={.items[*].metadata.annotations.kwok\.x-k8s\.io/usage-cpu}`)
	// The usage is measured over time, so it may be off by a little.
	quarter := regexp.MustCompile(`web-\S+ +2[45]\dm `)
	c.eventually("metrics-server sees a quarter in all four pods", func(out string) bool {
		return len(quarter.FindAllString(out, -1)) == 4
	}, "kubectl", "top", "pods", "--no-headers")
}

func (c cluster) token() {
	c.must("", "kubectl", "create", "serviceaccount", "robot")
	c.must("", "kubectl", "create", "role", "robot", "--verb=list", "--resource=pods")
	c.must("", "kubectl", "create", "rolebinding", "robot", "--role=robot", "--serviceaccount=default:robot")
	at := c.status()
	token := strings.TrimSpace(c.must("", "kubectl", "create", "token", "robot"))
	for resource, want := range map[string]string{"pods": "yes", "secrets": "no"} {
		// A client certificate would go before the token, so the kubeconfig is left out.
		out, _ := c.run("", "kubectl", "--kubeconfig", os.DevNull, "--server", at.Server,
			"--certificate-authority", at.CertificateAuthority, "--token", token, "auth", "can-i", "list", resource)
		if strings.TrimSpace(strings.Split(out, "\n")[0]) != want {
			c.Errorf("the service account may list %s: %q, want %q", resource, out, want)
		}
	}
}

func (c cluster) restart() {
	before := c.status()
	c.must("", "stop", "kube-apiserver")
	if stopped := c.status(); stopped.Ready || stopped.Components[1].State != "stopped" {
		c.Errorf("status while the API server is stopped: %+v", stopped)
	}
	c.must("", "start", "kube-apiserver")
	c.must("", "restart", "metrics-server")
	c.eventually("the cluster is ready again", contains(`"ready": true,`), "status", "-o", "json")
	if after := c.status(); after.PID != before.PID || after.Components[1].PID == before.Components[1].PID {
		c.Errorf("processes before %+v and after %+v: want the same supervisor and a new API server", before, after)
	}
}
