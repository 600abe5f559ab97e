//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
)

// TestAVPARecommendsTheRequests: the VPA's own recommender watches the pods, and
// what it recommends reaches them in place.
func TestAVPARecommendsTheRequests(t *testing.T) {
	p := newPlace(t)
	p.workload("web", 1)
	p.demand("web", "0.3")
	p.create(&vpav1.VerticalPodAutoscaler{},
		`{metadata: {name: web}, spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, updatePolicy: {updateMode: "Off"}}}`)
	share(t)
	p.autoscaler("web", `{replicas: {max: 5}, containers: [{name: app, cpu: {}}], vertical: {source: VPA, vpaName: web}}`)
	first := p.eventuallyReady("web", 1)[0].UID
	var recommended int64
	eventually(t, patience, func() error {
		var vpa vpav1.VerticalPodAutoscaler
		if err := p.get(&vpa, "web"); err != nil {
			return err
		}
		if r := vpa.Status.Recommendation; r == nil || len(r.ContainerRecommendations) == 0 {
			return fmt.Errorf("the recommender says nothing yet: %+v", vpa.Status)
		}
		recommended = vpa.Status.Recommendation.ContainerRecommendations[0].Target.Cpu().MilliValue()
		pod := p.eventuallyReady("web", 1)[0]
		if got := pod.Spec.Containers[0].Resources.Requests.Cpu().MilliValue(); pod.UID != first || got != recommended {
			return fmt.Errorf("the pod requests %dm, and %dm are recommended; replaced: %t", got, recommended, pod.UID != first)
		}
		return nil
	})
	// The pod uses 300m, and the recommender came to see some of that.
	if recommended <= 150 {
		t.Errorf("%dm are recommended, although 300m are used", recommended)
	}
}

func resources(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}
}
