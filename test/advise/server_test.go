//go:build e2e

package advise_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/advise"
)

// serve starts a real Prometheus on blocks.
func serve(t *testing.T, data string) string {
	t.Helper()
	if _, err := exec.LookPath("prometheus"); err != nil {
		t.Fatal("prometheus is needed: install the package prometheus")
	}
	settings := filepath.Join(t.TempDir(), "prometheus.yml")
	if err := os.WriteFile(settings, []byte("global: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	cmd := exec.Command("prometheus", "--config.file="+settings, "--storage.tsdb.path="+data,
		"--storage.tsdb.retention.time=100y", "--web.listen-address="+address)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	// It is long because the machine may be busy.
	const patience = 10 * time.Minute
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		if response, err := http.Get("http://" + address + "/-/ready"); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return "http://" + address
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("Prometheus does not become ready")
		}
	}
}

// TestAdviceByARealPrometheus: thirty workloads of four weeks, by Prometheus alone.
// Those that an HPA scaled are replayed as they were, within the doubt that other
// chances leave; those that nothing scaled are found to be much too large.
func TestAdviceByARealPrometheus(t *testing.T) {
	const length, n = 4 * week, 30
	data := t.TempDir()
	all := madeUp(t, n, length)
	block(t, data, all)
	address := serve(t, data)
	out, stderr, code := execute("--prometheus", address, "--until", begin.Add(length).Format(time.RFC3339), "--quick", "-o", "json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var got struct {
		Workloads []advise.Advice `json:"workloads"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Workloads) != n {
		t.Fatalf("%d workloads, %v", len(got.Workloads), err)
	}
	for i := range got.Workloads {
		a := &got.Workloads[i]
		t.Run(a.Name, func(t *testing.T) { judged(t, a, all) })
	}
}

// judged checks the advice on one workload.
func judged(t *testing.T, a *advise.Advice, all []made) {
	t.Helper()
	of := all[slices.IndexFunc(all, func(m made) bool { return m.name == a.Name })]
	if a.Now.CPU != madeCPU {
		t.Errorf("a pod requests %v, want %v", a.Now.CPU, madeCPU)
	}
	if of.target == 0 {
		if a.Scaled != "nothing" || a.Now.Replicas != madePods || a.ReplayError != nil || a.Verdict != advise.Adopt {
			t.Errorf("scaled by %s, %v pods, verdict %s: nothing scales its %d pods, of which it needs a third", a.Scaled, a.Now.Replicas, a.Verdict, madePods)
		}
		return
	}
	if want := fmt.Sprintf("HPA cpu %d%%", of.target); a.Scaled != want {
		t.Errorf("scaled by %s, want %s", a.Scaled, want)
	}
	if a.ReplayError == nil || *a.ReplayError > 0.15 {
		t.Errorf("the replay of its HPA is not what its HPA did: %+v, %v", a.ReplayError, a.Doubts)
	}
}
