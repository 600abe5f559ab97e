//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestTheDecidedSizeIsPublished: a VPA shows the size that was decided, nobody takes it
// for another autoscaler, and it goes when the object only recommends.
func TestTheDecidedSizeIsPublished(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.optionalRights("publish-vpa")
	p.workload("web", 1)
	p.eventuallyReady("web", 1)
	p.scriptedVPA("web", "250m", "256Mi")
	p.autoscaler("web", `{replicas: {max: 5}, containers: [{name: app, cpu: {}}], vertical: {source: VPA, vpaName: web, publish: VPA}}`)
	shown := func(want string) func() error {
		return func() error {
			var vpa vpav1.VerticalPodAutoscaler
			if err := p.get(&vpa, "tidemark-web"); err != nil {
				return err
			}
			if r := vpa.Status.Recommendation; r == nil || len(r.ContainerRecommendations) != 1 || r.ContainerRecommendations[0].Target.Cpu().String() != want {
				return fmt.Errorf("want %s for app to be shown: %+v", want, vpa.Status)
			}
			return nil
		}
	}
	eventually(t, patience, shown("250m"))
	// Somebody lets it act. It is set right, and never taken for another's.
	p.patch(&vpav1.VerticalPodAutoscaler{}, "tidemark-web", `{spec: {updatePolicy: {updateMode: Recreate}}}`)
	p.recommend("web", "300m", "256Mi")
	eventually(t, patience, shown("300m"))
	eventually(t, patience, func() error {
		var vpa vpav1.VerticalPodAutoscaler
		if err := p.get(&vpa, "tidemark-web"); err != nil || *vpa.Spec.UpdatePolicy.UpdateMode != vpav1.UpdateModeOff {
			return fmt.Errorf("want updateMode Off, got %+v, error %w", vpa.Spec.UpdatePolicy, err)
		}
		return nil
	})
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))

	p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{spec: {mode: Recommend}}`)
	eventually(t, patience, func() error {
		if err := p.get(&vpav1.VerticalPodAutoscaler{}, "tidemark-web"); !apierrors.IsNotFound(err) {
			return fmt.Errorf("it still shows a size that does not come: %w", err)
		}
		return nil
	})
}

// TestTheEmptiestPodGoes: of three pods the one that does least, which is not the one
// that Kubernetes would choose.
func TestTheEmptiestPodGoes(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.optionalRights("deletion-cost")
	p.queue("30")
	p.workload("web", 3)
	pods := p.eventuallyReady("web", 3)
	for i, pod := range pods {
		p.patch(&corev1.Pod{}, pod.Name, `{metadata: {annotations: {kwok.x-k8s.io/usage-cpu: %dm}}}`, 90-40*(i%2))
	}
	// What is measured is a mean, so the new usage has to have been there for a while.
	eventually(t, patience, func() error {
		list, err := p.podMetrics()
		least := map[string]int64{}
		for _, pod := range list.Items {
			least[pod.Name] = pod.Containers[0].Usage.Cpu().MilliValue()
		}
		if err != nil || least[pods[0].Name] < 80 || least[pods[2].Name] < 80 || least[pods[1].Name] < 40 || least[pods[1].Name] > 60 {
			return fmt.Errorf("the pods are measured to use %v, error %w", least, err)
		}
		return nil
	})
	p.autoscaler("web", `{replicas: {min: 1, max: 5}, behavior: {syncPeriodSeconds: 2, scaleDown: {stabilizationWindowSeconds: 0, emptiestFirst: true}},
		metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
	p.queue("20")
	p.eventuallyHas("web", 2)
	for _, left := range p.eventuallyReady("web", 2) {
		if left.UID == pods[1].UID {
			status, err := p.status("web")
			t.Errorf("%s stays, which did the least: %s, error %v", left.Name, summary(status), err)
		}
	}
}

// optionalRights adds a role of config/node-autoscalers to the controller's.
func (p *place) optionalRights(name string) {
	p.t.Helper()
	text, err := os.ReadFile("../../config/node-autoscalers/" + name + ".yaml")
	if err != nil {
		p.t.Fatal(err)
	}
	role := &rbacv1.ClusterRole{}
	if err := yaml.UnmarshalStrict(text, role); err != nil {
		p.t.Fatal(err)
	}
	if err := world.Create(p.t.Context(), role); err != nil && !apierrors.IsAlreadyExists(err) {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = world.Delete(context.Background(), role) })
}
