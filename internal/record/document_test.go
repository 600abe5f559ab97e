package record

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/strict"
)

// TestDocumentsRoundTrip writes what was read and reads it again: nothing may
// be lost, above all not the differences between nothing, zero and left out.
func TestDocumentsRoundTrip(t *testing.T) {
	for name, text := range map[string]string{
		"everything": specPods + `admin: {paused: true}
observation:
  at: 2026-01-05T12:00:00Z
  target: {specReplicas: 0, statusReplicas: 3, containers: [{name: app, requests: {cpu: 1, memory: 1Gi}, limits: {}}]}
  pods:
  - {name: a, phase: Pending, ready: false, readyChangedAt: 2026-01-05T11:00:00Z, startedAt: 2026-01-05T10:00:00Z, deleting: true, requests: {cpu: 2},
     containers: [{name: app, requests: {cpu: 1}, usage: {cpu: NaN}}], usageAt: 2026-01-05T11:59:00Z, usageWindow: 1m30s}
  metrics: [{samples: {}, at: 2026-01-05T11:59:00Z}, {error: no data}, {series: []}, {value: 0}, {}]
  recommendations: {replicas: 0, containers: [{name: app, target: {cpu: 500m}, lowerBound: {}, upperBound: {memory: 2Gi}}]}
  learned: {minReplicas: 5, maxReplicas: 20, targets: {app: {cpu: 80}}}
memory: {seen: true, replicas: 3}
`,
		"pods not listed": specCPU + seenAtNoon,
		"no pods":         specCPU + seenAtNoon + "  pods: []",
	} {
		t.Run(name, func(t *testing.T) {
			var first, second Document
			if faults := strict.Unmarshal([]byte(text), &first); len(faults) > 0 {
				t.Fatal(faults)
			}
			written, err := json.Marshal(first)
			if err != nil {
				t.Fatal(err)
			}
			if faults := strict.Unmarshal(written, &second); len(faults) > 0 {
				t.Fatalf("%s: %v", written, faults)
			}
			if diff := cmp.Diff(first, second); diff != "" {
				t.Errorf("document (-first +second):\n%s", diff)
			}
		})
	}
}
