package convert

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// TestKEDAsFallback: what KEDA measured and is measured here falls back after as
// many questions of an HPA; the usage of pods never did.
func TestKEDAsFallback(t *testing.T) {
	for name, tc := range map[string]struct {
		in   kedaFallback
		want *v1alpha1.OnMissing
	}{
		"static is the default": {kedaFallback{3, 6, ""}, &v1alpha1.OnMissing{Replicas: new(int32(6)), AfterSeconds: new(int32(45)), Behavior: "Static"}},
		"static":                {kedaFallback{1, 6, "static"}, &v1alpha1.OnMissing{Replicas: new(int32(6)), AfterSeconds: new(int32(15)), Behavior: "Static"}},
		"current": {kedaFallback{2, 6, "currentReplicas"},
			&v1alpha1.OnMissing{Replicas: new(int32(6)), AfterSeconds: new(int32(30)), Behavior: "Current"}},
		"the larger": {kedaFallback{2, 6, "currentReplicasIfHigher"},
			&v1alpha1.OnMissing{Replicas: new(int32(6)), AfterSeconds: new(int32(30)), Behavior: "CurrentIfHigher"}},
		"the smaller": {kedaFallback{2, 6, "currentReplicasIfLower"},
			&v1alpha1.OnMissing{Replicas: new(int32(6)), AfterSeconds: new(int32(30)), Behavior: "CurrentIfLower"}},
		"a word that KEDA does not know": {kedaFallback{2, 6, "sometimes"}, nil},
		"a negative count":               {kedaFallback{2, -6, ""}, nil},
		"more than a week":               {kedaFallback{1_000_000_000, 6, ""}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := &draft{claims: map[fault.Path]Field{}}
			target := &v1alpha1.MetricTarget{AverageUtilization: new(int32(60))}
			d.out.Spec.Metrics = []v1alpha1.MetricSpec{
				{Type: v1alpha1.ResourceMetricType, Resource: &v1alpha1.ResourceMetric{Name: "cpu", Target: target}},
				{Type: v1alpha1.ExternalMetricType, External: &v1alpha1.ExternalMetric{Target: target}},
			}
			d.kedaFallback(&tc.in)
			if d.out.Spec.Metrics[0].OnMissing != nil {
				t.Error("cpu falls back")
			}
			if diff := cmp.Diff(tc.want, d.out.Spec.Metrics[1].OnMissing); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
