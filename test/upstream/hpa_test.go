package upstream

import (
	"testing"
	"time"

	"k8s.io/kubernetes/pkg/apis/autoscaling"
	conversion "k8s.io/kubernetes/pkg/apis/autoscaling/v2"
	"k8s.io/kubernetes/pkg/apis/autoscaling/validation"
)

// TestHPAsAreValid shows that the HPAs of the comparison are ones that an API
// server accepts: what it would refuse says nothing about behavior.
func TestHPAsAreValid(t *testing.T) {
	for number := range fromEnv(t, "TIDEMARK_WORKLOADS", 3000) {
		w := NewWorkload(Seeded(seedOf(t), number), "workload", time.Now())
		var internal autoscaling.HorizontalPodAutoscaler
		if err := conversion.Convert_v2_HorizontalPodAutoscaler_To_autoscaling_HorizontalPodAutoscaler(w.HPA, &internal, nil); err != nil {
			t.Fatal(err)
		}
		faults := validation.ValidateHorizontalPodAutoscaler(&internal, validation.HorizontalPodAutoscalerSpecValidationOptions{})
		if len(faults) > 0 {
			t.Fatalf("workload %d: %v", number, faults.ToAggregate())
		}
	}
}
