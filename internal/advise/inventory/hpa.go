package inventory

import (
	"cmp"
	"encoding/json"
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/scale"
)

// hpa is what kube-state-metrics says of an HPA.
type hpa struct {
	name        string
	least, most int32
	metrics     []metric
}

// metric is a target of an HPA. How it is called is known, not what it is of.
type metric struct {
	name, kind string
	value      scale.Amount
}

// autoscaler is the HPA as an object, as far as it is known.
func (h *hpa) autoscaler(of *advise.Workload) (advise.Autoscaler, error) {
	object := autoscalingv2.HorizontalPodAutoscaler{
		TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"},
		ObjectMeta: metav1.ObjectMeta{Namespace: of.Namespace, Name: h.name},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: of.Kind, Name: of.Name},
			MaxReplicas:    max(h.most, 1),
		},
	}
	if h.least > 0 {
		object.Spec.MinReplicas = &h.least
	}
	slices.SortFunc(h.metrics, func(a, b metric) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.kind, b.kind)) })
	for _, m := range h.metrics {
		object.Spec.Metrics = append(object.Spec.Metrics, m.spec())
	}
	text, err := json.Marshal(object)
	return advise.Autoscaler{Kind: object.Kind, Name: h.name, Document: text, Partial: true}, err
}

// spec is the metric as an HPA has it. One that is not cpu or memory has a name
// alone: it stands for one that nobody can look up.
func (m metric) spec() autoscalingv2.MetricSpec {
	goal := autoscalingv2.MetricTarget{}
	amount := resource.NewMilliQuantity(int64(m.value), resource.DecimalSI)
	switch m.kind {
	case "utilization":
		percent := int32(m.value / scale.Thousand)
		goal.Type, goal.AverageUtilization = autoscalingv2.UtilizationMetricType, &percent
	case "average":
		goal.Type, goal.AverageValue = autoscalingv2.AverageValueMetricType, amount
	default:
		goal.Type, goal.Value = autoscalingv2.ValueMetricType, amount
	}
	if name := corev1.ResourceName(m.name); name == corev1.ResourceCPU || name == corev1.ResourceMemory {
		return autoscalingv2.MetricSpec{
			Type:     autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricSource{Name: name, Target: goal},
		}
	}
	return autoscalingv2.MetricSpec{
		Type:     autoscalingv2.ExternalMetricSourceType,
		External: &autoscalingv2.ExternalMetricSource{Metric: autoscalingv2.MetricIdentifier{Name: m.name}, Target: goal},
	}
}
