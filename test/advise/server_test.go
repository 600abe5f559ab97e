//go:build e2e

package advise_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/test/live"
)

// serve starts a real Prometheus on blocks.
func serve(t *testing.T, data string) string {
	t.Helper()
	server, err := live.StartPrometheus(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Stop() })
	return server.Address
}

// TestAdviceByARealPrometheus: thirty workloads of four weeks, by Prometheus alone.
// Those that an HPA scaled are replayed as they were, within the doubt that other
// chances leave; those that nothing scaled are found to be much too large.
func TestAdviceByARealPrometheus(t *testing.T) {
	const length, n = 4 * week, 30
	data := t.TempDir()
	all := madeUp(t, 0, n, length)
	block(t, data, length, once(all))
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
