package learner

import (
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// TestOutOfMemory: what a container that ran out of memory is recommended is what the
// object says, and the margin: 15 % of 1Gi and a half of it, rounded up to 1Mi.
func TestOutOfMemory(t *testing.T) {
	const gi = 1 << 30 * scale.Thousand
	var spec v1alpha1.WorkloadAutoscalerSpec
	if err := yaml.UnmarshalStrict([]byte(`{replicas: {max: 5}, containers: [{name: "*", memory: {}, oomBumpUp: {percentage: 50}}]}`), &spec); err != nil {
		t.Fatal(err)
	}
	compiled, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	plan, _ := PlanOf(spec, compiled)
	l, err := New(plan)
	if err != nil {
		t.Fatal(err)
	}
	obs := observed(noon, 1, 100, 1000)
	has := scale.Resources{}.With(scale.Memory, gi)
	obs.Target.Containers[0].Requests, obs.Pods[0].Containers[0].Requests = has, has
	obs.Pods[0].OutOfMemoryAt = noon.Add(-time.Minute)
	l.Learn(obs, nil)
	if len(obs.Recommended) != 1 {
		t.Fatalf("recommended: %+v", obs.Recommended)
	}
	got, _ := obs.Recommended[0].PerPod.Get(scale.Memory)
	// A histogram knows an amount by its bucket, which is up to a twentieth larger.
	if least := gi.Share(150*115, 10_000); got < least || got > least.Share(107, 100) {
		t.Errorf("%s of memory is recommended, want a little more than %s", got.Bytes(), least.Bytes())
	}
}
