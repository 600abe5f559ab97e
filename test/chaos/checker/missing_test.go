package checker

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/record"
)

// TestGapOfPods: half of the pods have to be measured. A pod that has just begun to run
// need not be, but counts where it is.
func TestGapOfPods(t *testing.T) {
	at, ready := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC), true
	pod := func(age time.Duration, cpu record.Reading) record.Pod {
		return record.Pod{
			Phase: "Running", Ready: &ready, StartedAt: at.Add(-age), UsageAt: at,
			Containers: []record.PodContainer{{Name: "app", Usage: record.Usage{CPU: cpu}}},
		}
	}
	old, young := time.Hour, grown-time.Second
	for _, tc := range []struct {
		name string
		pods []record.Pod
		gap  bool
	}{
		{"half of them", []record.Pod{pod(old, "1m"), pod(old, "")}, false},
		{"less than half", []record.Pod{pod(old, "1m"), pod(old, ""), pod(old, "")}, true},
		{"one that is young and unknown", []record.Pod{pod(old, "1m"), pod(old, ""), pod(young, "")}, false},
		{"half with one that is young", []record.Pod{pod(old, ""), pod(young, "1m")}, false},
		{"no number", []record.Pod{pod(old, "NaN")}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := gapOfPods(&record.Observation{At: at, Pods: tc.pods}); (got != "") != tc.gap {
				t.Errorf("got %q, want a gap: %t", got, tc.gap)
			}
		})
	}
}
