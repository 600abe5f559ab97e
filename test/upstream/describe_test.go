package upstream

import (
	"fmt"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
)

// Describe prints an HPA and a world in a few lines that a person can check
// by hand: times are seconds before now, quantities are thousandths.
func Describe(hpa *autoscalingv2.HorizontalPodAutoscalerSpec, w *World) string {
	var b strings.Builder
	fmt.Fprintf(&b, "replicas: spec %d, status %d\n", w.SpecReplicas, w.StatusReplicas)
	for i := range hpa.Metrics {
		m, a := &hpa.Metrics[i], &w.Answers[i]
		fmt.Fprintf(&b, "metric %d: %s %s, target %s, measured %s ago\n", i, m.Type, metricName(m), targetText(sourceOf(m).target), w.At.Sub(a.At))
		fmt.Fprintf(&b, "  series %v, per pod %v, error %v\n", a.Series, a.PerPod, a.Err)
	}
	if hpa.Behavior != nil {
		fmt.Fprintf(&b, "scale up: %s\nscale down: %s\n", rulesText(hpa.Behavior.ScaleUp), rulesText(hpa.Behavior.ScaleDown))
	}
	for _, pod := range w.Pods {
		fmt.Fprintf(&b, "%s: %s\n", pod.Name, podText(pod, w))
	}
	for _, u := range w.Usage {
		fmt.Fprintf(&b, "usage of %s: %v, measured %s ago over %s\n", u.Pod, u.Containers, w.At.Sub(u.At), u.Window)
	}
	return b.String()
}

func targetText(t autoscalingv2.MetricTarget) string {
	switch {
	case t.AverageUtilization != nil:
		return fmt.Sprintf("%d%%", *t.AverageUtilization)
	case t.AverageValue != nil:
		return fmt.Sprintf("%dm each", t.AverageValue.MilliValue())
	}
	return fmt.Sprintf("%dm", t.Value.MilliValue())
}

func rulesText(r *autoscalingv2.HPAScalingRules) string {
	if r == nil {
		return "default"
	}
	window, selected, tolerance := "default", "default", "default"
	if r.StabilizationWindowSeconds != nil {
		window = fmt.Sprintf("%ds", *r.StabilizationWindowSeconds)
	}
	if r.SelectPolicy != nil {
		selected = string(*r.SelectPolicy)
	}
	if r.Tolerance != nil {
		tolerance = r.Tolerance.String()
	}
	return fmt.Sprintf("window %s, select %s of %v, tolerance %s", window, selected, r.Policies, tolerance)
}

func podText(pod *corev1.Pod, w *World) string {
	text := string(pod.Status.Phase)
	if pod.DeletionTimestamp != nil {
		text += ", deleting"
	}
	if start := pod.Status.StartTime; start != nil {
		text += fmt.Sprintf(", started %s ago", w.At.Sub(start.Time))
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			text += fmt.Sprintf(", ready %s since %s", condition.Status, w.At.Sub(condition.LastTransitionTime.Time))
		}
	}
	for _, c := range append(slices.Clip(pod.Spec.InitContainers), pod.Spec.Containers...) {
		text += fmt.Sprintf(", %s %s", c.Name, requestsText(c.Resources.Requests))
	}
	if pod.Spec.Resources != nil {
		text += ", whole pod " + requestsText(pod.Spec.Resources.Requests)
	}
	return text
}

func requestsText(list corev1.ResourceList) string {
	text := "{"
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if q, ok := list[name]; ok {
			text += fmt.Sprintf(" %s %dm", name, q.MilliValue())
		}
	}
	return text + " }"
}
