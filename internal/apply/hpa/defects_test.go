package hpa_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/hpa"
	"github.com/tidemark/tidemark/scale"
)

// TestF10MinimumAboveMaximum: Tortoise writes a learned minimum of 8 beside the
// user's maximum of 5. The API server refuses that, and nothing is tuned any
// more.
func TestF10MinimumAboveMaximum(t *testing.T) {
	object := read(t, `{spec: {minReplicas: 3, maxReplicas: 20}}`)
	got, changes := hpa.Tune(object, scale.Tuning{Min: new(int32(8)), Max: new(int32(5))})
	if diff := cmp.Diff(read(t, `{spec: {minReplicas: 5, maxReplicas: 5}}`), got); diff != "" {
		t.Errorf("the tuned HPA (-want +got):\n%s", diff)
	}
	want := []apply.Change{
		{Path: "spec.minReplicas", From: "3", To: "5", Reason: "a minimum of 8 was asked for, which is above the maximum"},
		{Path: "spec.maxReplicas", From: "20", To: "5"},
	}
	if diff := cmp.Diff(want, changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

// TestF11KeptMetricsAreNoChange: Tortoise takes a metric it keeps for one it
// edited, and so updates the HPA and sends an event every 15 seconds forever.
func TestF11KeptMetricsAreNoChange(t *testing.T) {
	object := read(t, `
metadata:
  annotations: {autoscaling.tidemark.dev/container-based-cpu-metric-prefix: load-}
spec:
  minReplicas: 3
  maxReplicas: 20
  metrics:
  - {type: Pods, pods: {metric: {name: requests}, target: {type: AverageValue, averageValue: 100}}}
  - {type: Resource, resource: {name: memory, target: {type: Utilization, averageUtilization: 80}}}
  - {type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 70}}}
  - {type: External, external: {metric: {name: load-app}, target: {type: Value, value: 70000m}}}
`)
	got, changes := hpa.Tune(object, scale.Tuning{Min: new(int32(3)), Max: new(int32(20)), Targets: []scale.LearnedTarget{
		{Container: "app", Resource: scale.CPU, Percent: 70},
		{Container: "app", Resource: scale.Memory, Percent: 80},
	}})
	if changes != nil {
		t.Errorf("an HPA that is as it should be gets changes %v", changes)
	}
	if diff := cmp.Diff(object, got); diff != "" {
		t.Errorf("the HPA that is as it should be differs (-before +after):\n%s", diff)
	}
}
