package replay

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// TestEvictionsAreReplayed: what an object says of evictions holds in its replay.
func TestEvictionsAreReplayed(t *testing.T) {
	var spec v1alpha1.WorkloadAutoscalerSpec
	if err := yaml.UnmarshalStrict([]byte(`{replicas: {max: 5}, containers: [{name: app, cpu: {}}], vertical: {update: Recreate, minReplicas: 3,
  evictionRequirements: [{resources: [cpu, memory], changeRequirement: TargetLowerThanRequests}, {resources: [memory], changeRequirement: TargetHigherThanRequests}]}}`),
		&spec); err != nil {
		t.Fatal(err)
	}
	p, err := FromSpec("careful", spec)
	if err != nil {
		t.Fatal(err)
	}
	var settings sim.Settings
	if _, err := p.Start(&settings); err != nil {
		t.Fatal(err)
	}
	want := sim.Resizing{Update: plan.Recreate, MinReplicas: 3, Requirements: []scale.EvictionRequirement{
		{Resources: []scale.Resource{scale.CPU, scale.Memory}, Lower: true}, {Resources: []scale.Resource{scale.Memory}},
	}}
	if diff := cmp.Diff(want, settings.Resize); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
