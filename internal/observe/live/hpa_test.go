package live_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/scale"
)

// TestTheTunedHPA: its own list is seen, and the usage that its metrics are about.
// Without it there is nothing to decide.
func TestTheTunedHPA(t *testing.T) {
	w := newWorld(t)
	request := w.question(`{actuator: HPA, hpaName: theirs, learn: {}}`)
	if _, err := w.observer.Observe(t.Context(), request); !apierrors.IsNotFound(err) ||
		!strings.Contains(err.Error(), "there is no HPA shop/theirs, which spec.hpaName names: correct spec.hpaName, or create the HPA") {
		t.Errorf("without the HPA: %v", err)
	}
	least, percent := int32(6), int32(60)
	hpa := &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "theirs"},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{MinReplicas: &least, MaxReplicas: 30, Metrics: []autoscalingv2.MetricSpec{{
			Type: autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricSource{Name: "cpu",
				Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &percent}},
		}}},
	}
	if err := w.cache.Create(t.Context(), hpa); err != nil {
		t.Fatal(err)
	}
	got, err := w.observer.Observe(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	want := &scale.HPA{Min: 6, Max: 30, Targets: []scale.LearnedTarget{{Container: "app", Resource: scale.CPU, Percent: 60}}}
	if diff := cmp.Diff(want, got.Observation.HPA); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if used, known := got.Observation.Pods[0].Containers[0].Usage.Get(scale.CPU); !known || used == 0 {
		t.Errorf("the usage of the pods is %s, known %v", used, known)
	}
}
