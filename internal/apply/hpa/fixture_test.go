package hpa_test

import (
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"sigs.k8s.io/yaml"
)

// read returns the HPA of a manifest.
func read(t *testing.T, manifest string) *autoscalingv2.HorizontalPodAutoscaler {
	t.Helper()
	var object autoscalingv2.HorizontalPodAutoscaler
	if err := yaml.UnmarshalStrict([]byte(manifest), &object); err != nil {
		t.Fatalf("reading a manifest: %v", err)
	}
	return &object
}
