package serve

import (
	"bufio"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// process is the verb in a process of its own.
type process struct {
	address string
	roots   *x509.CertPool
	pid     int
}

// start runs the verb in front of an API server that knows one token, whose
// bearer may do everything. It ends with the test.
func start(t *testing.T) process {
	t.Helper()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Authorization") != "Bearer good-token" {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Unauthorized","message":"Unauthorized","code":401}`)
			return
		}
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":{},"status":{"allowed":true}}`)
	}))
	t.Cleanup(api.Close)
	folder := t.TempDir()
	kubeconfig := write(t, folder, "kubeconfig", kubeconfigOf(api.URL))
	cert, key := certificate(t, folder)
	cmd := exec.Command(os.Args[0])
	args := []string{"--listen", "127.0.0.1:0", "--kubeconfig", kubeconfig, "--tls-cert", cert, "--tls-key", key}
	cmd.Env = append(os.Environ(), runsVerb+"="+strings.Join(args, "\n"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewReader(stderr)
	text, err := lines.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var line struct{ Address string }
	if err := json.Unmarshal(text, &line); err != nil || line.Address == "" {
		t.Fatalf("it does not serve: %s (%v)", text, err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return process{address: line.Address, roots: rootsOf(t, cert), pid: cmd.Process.Pid}
}

// peak is the most memory that the process ever had, in KiB.
func (p process) peak(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var size int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &size); n == 1 {
			return size
		}
	}
	t.Fatalf("no peak in %s", text)
	return 0
}
