//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// boosts gives new pods three times their cpu.
const boosts = `{replicas: {min: 2, max: 5}, containers: [{name: app, boost: {factor: 3}}]}`

// TestNewPodsStartWithTheirBoost: a new pod has it for as long as it is not ready, the
// others and the size that is decided are left alone. When the pod becomes ready the
// boost is taken back in place, although the object is gone by then.
func TestNewPodsStartWithTheirBoost(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.deployment("web", 1, `cluster.tidemark.dev/ready: "false"`, `requests: {cpu: 100m, memory: 64Mi}, limits: {cpu: 200m}`)
	eventually(t, patience, p.has("web", 1))
	p.inScope()
	p.autoscaler("web", boosts)

	var boosted corev1.Pod
	eventually(t, patience, func() (err error) {
		boosted, err = p.boosted("web")
		return err
	})
	if limit := boosted.Spec.Containers[0].Resources.Limits.Cpu().String(); limit != "600m" {
		t.Errorf("it may use %s, want three times as much too", limit)
	}
	eventually(t, patience, p.explains("web", "StartupBoost", "app has cpu 300m instead of 100m", "boosted now: ", boosted.Name))
	status, err := p.status("web")
	if err != nil {
		t.Fatal(err)
	}
	if cpu := status.LastDecision.Want.Containers["app"]["cpu"]; cpu != "100m" {
		t.Errorf("the decided size is %s, want what pods settle at", cpu)
	}

	p.remove(&v1alpha1.WorkloadAutoscaler{}, "web")
	p.patch(&corev1.Pod{}, boosted.Name, `{metadata: {annotations: {cluster.tidemark.dev/ready: null}}}`)
	eventually(t, patience, func() error {
		var now corev1.Pod
		if err := p.get(&now, boosted.Name); err != nil {
			return err
		}
		has := now.Spec.Containers[0].Resources
		if now.UID != boosted.UID || has.Requests.Cpu().String() != "100m" || has.Limits.Cpu().String() != "200m" || inForce([]corev1.Pod{now})[0] != 100 {
			return fmt.Errorf("want the same pod with 100m of 200m in force, it has %v", has)
		}
		return nil
	})
}

// TestABoostKeepsNoPodFromANode: a pod that is not scheduled loses its boost while it
// waits.
func TestABoostKeepsNoPodFromANode(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.create(&appsv1.Deployment{}, `{metadata: {name: web}, spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}},
		spec: {nodeSelector: {nobody: has}, containers: [{name: app, image: none, resources: {requests: {cpu: 100m}}}]}}}}`)
	p.inScope()
	p.autoscaler("web", boosts)
	eventually(t, patience, func() error {
		var pods corev1.PodList
		if err := world.List(t.Context(), &pods, client.InNamespace(p.name)); err != nil {
			return err
		}
		for _, pod := range pods.Items {
			if pod.Annotations[v1alpha1.BoostAnnotation] != "" && pod.Spec.NodeName == "" && pod.Spec.Containers[0].Resources.Requests.Cpu().String() == "100m" {
				return nil
			}
		}
		return errors.Join(fmt.Errorf("no pod of %d has had a boost and lost it", len(pods.Items)), p.another(pods.Items))
	})
}

// inScope lets the API server ask about new pods of the place.
func (p *place) inScope() {
	p.t.Helper()
	p.autoscaler("idle", `{mode: "Off", replicas: {max: 5}, containers: [{name: app, cpu: {}}]}`)
	p.eventuallyInScope()
}

// boosted is the pod of a Deployment that has its boost.
func (p *place) boosted(name string) (corev1.Pod, error) {
	var pods corev1.PodList
	if err := world.List(p.t.Context(), &pods, client.InNamespace(p.name), client.MatchingLabels{"app": name}); err != nil {
		return corev1.Pod{}, err
	}
	for _, pod := range pods.Items {
		if cpu := pod.Spec.Containers[0].Resources.Requests.Cpu().String(); cpu == "300m" && pod.Annotations[v1alpha1.BoostAnnotation] != "" {
			return pod, nil
		}
	}
	return corev1.Pod{}, errors.Join(fmt.Errorf("none of %d pods of %s is boosted", len(pods.Items), name), p.another(pods.Items))
}

// another makes room for another pod where none of some has had a boost: a webhook that
// does not answer in time is left out, as promised, so on a busy machine a pod may have
// been made without it.
func (p *place) another(pods []corev1.Pod) error {
	const longEnough = 10 * time.Second
	for i := range pods {
		if pods[i].Annotations[v1alpha1.BoostAnnotation] != "" || time.Since(pods[i].CreationTimestamp.Time) < longEnough {
			continue
		}
		if err := world.Delete(p.t.Context(), &pods[i], client.GracePeriodSeconds(0)); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}
