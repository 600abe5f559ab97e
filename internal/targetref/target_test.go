package targetref

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

func TestIndexedBy(t *testing.T) {
	shop := metav1.ObjectMeta{Namespace: "shop", Name: "any"}
	web := v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	for name, tt := range map[string]struct {
		obj  client.Object
		want []string
	}{
		"an object": {&v1alpha1.WorkloadAutoscaler{ObjectMeta: shop, Spec: v1alpha1.WorkloadAutoscalerSpec{TargetRef: web}}, []string{"shop/apps/Deployment/web"}},
		"an object that tunes an HPA": {
			&v1alpha1.WorkloadAutoscaler{ObjectMeta: shop, Spec: v1alpha1.WorkloadAutoscalerSpec{TargetRef: web, Actuator: v1alpha1.ActuatorHPA, HPAName: "old"}},
			[]string{"shop/apps/Deployment/web", "shop/autoscaling/HorizontalPodAutoscaler/old"},
		},
		"the name of an HPA that is not tuned": {
			&v1alpha1.WorkloadAutoscaler{ObjectMeta: shop, Spec: v1alpha1.WorkloadAutoscalerSpec{TargetRef: web, HPAName: "old"}}, []string{"shop/apps/Deployment/web"},
		},
		"an HPA that says another version": {&autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: shop, Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1beta1", Kind: "Deployment", Name: "web"},
		}}, []string{"shop/apps/Deployment/web"}},
		"an HPA on a kind without a group": {&autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: shop, Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "v1", Kind: "ReplicationController", Name: "web"},
		}}, []string{"shop//ReplicationController/web"}},
		"a pod": {&corev1.Pod{ObjectMeta: shop}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, IndexedBy(tt.obj)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
