package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/lint"
)

// TestNearMisses: what is almost an autoscaler is told, and what is somebody
// else's is not.
func TestNearMisses(t *testing.T) {
	for _, c := range []struct{ version, kind, want, message string }{
		{"autoscaling/v2", "HorizontalPodAutoScaler", "TM007", "the kind is called HorizontalPodAutoscaler"},
		{"autoscaling/v2", "HorizontalPodAutoscalar", "TM007", "the kind is called HorizontalPodAutoscaler"},
		{"autoscalin/v2", "HorizontalPodAutoscaler", "TM007", "of the group autoscaling"},
		{"v2", "HorizontalPodAutoscaler", "TM007", "of the group autoscaling"},
		{"apps/v1", "HorizontalPodAutoscaler", "TM007", "of the group autoscaling"},
		{"autoscaling/v1", "VerticalPodAutoscaler", "TM007", "of the group autoscaling.k8s.io"},
		{"autoscaling.k8s.io/v1", "HorizontalPodAutoscaler", "TM007", "of the group autoscaling"},
		{"keda.sh/v1alpha1", "ScaledObjects", "TM007", "the kind is called ScaledObject"},
		{"keda.sh/v1alpha1", "Scaledobject", "TM007", "the kind is called ScaledObject"},
		{"autoscaling/v2", "HPA", "TM007", "the kind is called HorizontalPodAutoscaler"},
		{"autoscaling/v1", "hpa", "TM007", "the kind is called HorizontalPodAutoscaler"},
		{"autoscaling.k8s.io/v1", "VPA", "TM007", "the kind is called VerticalPodAutoscaler"},
		{"datadoghq.com/v1alpha1", "WPA", "TM007", "the kind is called WatermarkPodAutoscaler"},
		{"autoscaling.tidemark.dev/v1alpha1", "WA", "TM007", "the kind is called WorkloadAutoscaler"},
		{"keda.io/v1alpha1", "ScaledObject", "TM007", "of the group keda.sh"},
		{"keda.com/v1alpha1", "ScaledObjects", "TM007", "the kind is called ScaledObject"},
		{"autoscaling.tidemark.io/v1alpha1", "WorkloadAutoscaler", "TM007", "of the group autoscaling.tidemark.dev"},
		{"poc.autoscaling.k8s.io/v1alpha1", "VerticalPodAutoscaler", "TM007", "of the group autoscaling.k8s.io"},
		{"example.com/v1", "HPA", "", ""},
		{"keda.io/v1alpha1", "ScaledJob", "", ""},
		{"apps/v1", "HPA", "TM007", "the kind is called HorizontalPodAutoscaler"},
		{"autoscaling/v3", "HorizontalPodAutoscaler", "TM008", "v1, v2, v2beta1, v2beta2"},
		{"keda.sh/v1", "ScaledObject", "TM008", "v1alpha1"},
		{"keda.k8s.io/v1alpha1", "ScaledObject", "TM006", "write keda.sh/v1alpha1"},
		{"keda.sh/v1alpha1", "ScaledJob", "", ""},
		{"http.keda.sh/v1alpha1", "HTTPScaledObject", "", ""},
		{"autoscaling.example.com/v1", "HorizontalPodAutoscaler", "", ""},
		{"autoscaling.internal.knative.dev/v1alpha1", "PodAutoscaler", "", ""},
		{"autoscaling.alibabacloud.com/v1beta1", "CronHorizontalPodAutoscaler", "", ""},
		{"", "HorizontalPodAutoScaler", "", ""},
	} {
		t.Run(c.version+" "+c.kind, func(t *testing.T) {
			text := fmt.Sprintf("apiVersion: %q\nkind: %s\nmetadata: {name: web}\n", c.version, c.kind)
			found := lint.Check(lint.Read("web.yaml", strings.NewReader(text)), "keda-no-triggers", "bounds-contradict")
			switch {
			case c.want == "" && len(found) > 0:
				t.Errorf("got %v", summary(found))
			case c.want != "" && (len(found) != 1 || found[0].Rule != c.want || !strings.Contains(found[0].Message, c.message)):
				t.Errorf("want %s with %q, got %+v", c.want, c.message, found)
			}
		})
	}
}
