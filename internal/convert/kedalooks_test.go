package convert

import (
	"fmt"
	"testing"
)

// TestPollingInterval: how often KEDA looks matters for a workload that sleeps, and only
// where it is more often than here.
func TestPollingInterval(t *testing.T) {
	for name, c := range map[string]struct {
		least, interval int
		trigger         string
		lost            bool
	}{
		"always awake":           {2, 5, "prometheus", false},
		"asleep, looking seldom": {0, 30, "prometheus", false},
		"asleep, looking often":  {0, 5, "prometheus", true},
		"with a trigger of KEDA": {2, 30, "kafka", true},
	} {
		t.Run(name, func(t *testing.T) {
			got := mustConvert(t, fmt.Sprintf(`{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": {"name": "web"}, "spec": {"scaleTargetRef": {"name": "web"},
				"minReplicaCount": %d, "pollingInterval": %d, "triggers": [{"type": %q, "metadata": {"query": "up", "threshold": "5"}}]}}`, c.least, c.interval, c.trigger))
			for _, f := range got.Report.Fields {
				if f.Path == "spec.pollingInterval" && f.Lost != c.lost {
					t.Errorf("got %+v", f)
				}
			}
		})
	}
}
