package hpa_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/hpa"
	"github.com/tidemark/tidemark/scale"
)

// tortoiseExample is the HPA of the Tortoise design, with the bounds and the
// reference that the design leaves out.
const tortoiseExample = `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: example-hpa
  namespace: example-prod
  annotations:
    tortoises.autoscaling.mercari.com/container-based-cpu-metric-prefix: "datadogmetric@example-prod:example-workload-cpu-"
    tortoises.autoscaling.mercari.com/container-based-memory-metric-prefix: "datadogmetric@example-prod:example-workload-memory-"
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: example-workload}
  minReplicas: 3
  maxReplicas: 20
  metrics:
    - type: External
      external:
        metric:
          name: datadogmetric@example-prod:example-workload-cpu-app
        target:
          type: Value
          value: 60
    - type: External
      external:
        metric:
          name: datadogmetric@example-prod:example-workload-cpu-istio-sidecar
        target:
          type: Value
          value: 80
    - type: External
      external:
        metric:
          name: datadogmetric@example-prod:example-workload-memory-app
        target:
          type: Value
          value: 75
    - type: External
      external:
        metric:
          name: datadogmetric@example-prod:example-workload-memory-istio-sidecar
        target:
          type: Value
          value: 70
`

// example tunes everything the HPA of the design has.
var example = scale.Tuning{Min: new(int32(5)), Max: new(int32(30)), Targets: []scale.LearnedTarget{
	{Container: "app", Resource: scale.CPU, Percent: 65},
	{Container: "app", Resource: scale.Memory, Percent: 76},
	{Container: "istio-sidecar", Resource: scale.CPU, Percent: 85},
	{Container: "istio-sidecar", Resource: scale.Memory, Percent: 67},
}}

func TestTheExampleOfTheTortoiseDesign(t *testing.T) {
	want := strings.NewReplacer(
		"minReplicas: 3", "minReplicas: 5", "maxReplicas: 20", "maxReplicas: 30",
		"value: 60", "value: 65", "value: 80", "value: 85", "value: 75", "value: 76", "value: 70", "value: 67",
	).Replace(tortoiseExample)

	got, changes := hpa.Tune(read(t, tortoiseExample), example)
	if diff := cmp.Diff(read(t, want), got); diff != "" {
		t.Errorf("the tuned HPA (-want +got):\n%s", diff)
	}
	wantChanges := []apply.Change{
		{Path: "spec.minReplicas", From: "3", To: "5"},
		{Path: "spec.maxReplicas", From: "20", To: "30"},
		{Path: "spec.metrics[0].external.target.value", From: "60", To: "65"},
		{Path: "spec.metrics[1].external.target.value", From: "80", To: "85"},
		{Path: "spec.metrics[2].external.target.value", From: "75", To: "76"},
		{Path: "spec.metrics[3].external.target.value", From: "70", To: "67"},
	}
	if diff := cmp.Diff(wantChanges, changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

// TestOurOwnAnnotations: the same HPA with the annotations of Tidemark, and
// with one resource under each name, is tuned in the same way.
func TestOurOwnAnnotations(t *testing.T) {
	const theirs, ours = "tortoises.autoscaling.mercari.com/", "autoscaling.tidemark.dev/"
	_, want := hpa.Tune(read(t, tortoiseExample), example)
	for name, manifest := range map[string]string{
		"both resources under ours":   strings.ReplaceAll(tortoiseExample, theirs, ours),
		"one resource under each one": strings.Replace(tortoiseExample, theirs, ours, 1),
	} {
		t.Run(name, func(t *testing.T) {
			_, changes := hpa.Tune(read(t, manifest), example)
			if diff := cmp.Diff(want, changes); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}
