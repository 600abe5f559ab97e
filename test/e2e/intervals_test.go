//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/controller/webhook"
	"github.com/tidemark/tidemark/test/live"
)

// TestIntervalsResizeInPlace: pods grow without being replaced, and then the
// count and the size change together.
func TestIntervalsResizeInPlace(t *testing.T) {
	p := newPlace(t)
	p.workload("web", 2)
	p.demand("web", "0.38")
	share(t)
	first := uids(p.eventuallyReady("web", 2))
	p.autoscaler("web", `{metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 100}}}],
		intervals: {ranges: [{maxReplicas: 2, maxResources: {cpu: 200m}}, {maxReplicas: 3, maxResources: {cpu: 400m}}]}}`)

	// 380m in all are four times 100m, rounded up, and that is two pods of 200m.
	eventually(t, patience, func() error { return p.sized("web", 2, 200, 200) })
	if now := uids(p.eventuallyReady("web", 2)); !slices.Equal(now, first) {
		t.Errorf("the pods were replaced: %v became %v", first, now)
	}
	eventually(t, patience, p.told("web", "Normal WithinInterval"))

	// 950m are for three pods, and more than 200m each.
	p.demand("web", "0.95")
	eventually(t, patience, func() error { return p.sized("web", 3, 300, 400) })
	eventually(t, patience, p.told("web", "Normal NextInterval"))
	for _, pod := range p.eventuallyReady("web", 3) {
		old := slices.Contains(first, pod.UID)
		if _, bySize := pod.Annotations[webhook.SizedBy]; old == bySize {
			t.Errorf("pod %s is new: %t, and had its size from the webhook: %t", pod.Name, !old, bySize)
		}
	}
	if now := uids(p.eventuallyReady("web", 3)); !slices.Contains(now, first[0]) || !slices.Contains(now, first[1]) {
		t.Errorf("the first pods %v were replaced: %v", first, now)
	}
}

// TestIntervalsSayTheCountAtOnce: a total that is made for twelve pods gets them
// in one step, without the HPA's velocity.
func TestIntervalsSayTheCountAtOnce(t *testing.T) {
	p := newPlace(t)
	p.workload("web", 1)
	p.queue("120")
	share(t)
	p.eventuallyReady("web", 1)
	p.autoscaler("web", `{metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}],
		intervals: {ranges: [{maxReplicas: 12, maxResources: {cpu: 100m}}]}}`)
	eventually(t, patience, func() error {
		count, err := p.replicas("web")
		if err == nil && count != 1 && count != 12 {
			return live.Fatal{Err: fmt.Errorf("there are %d pods on the way from 1 to 12", count)}
		}
		if err == nil && count != 12 {
			status, _ := p.status("web")
			err = fmt.Errorf("there are %d pods: %s", count, summary(status))
		}
		return err
	})
	eventually(t, patience, func() error { return p.sized("web", 12, 100, 100) })
}

// TestIntervalsOfAnHvpaWithoutVPA: nobody recommends anything, so the metric of
// cpu alone sizes the pods, and their memory stays as it is.
func TestIntervalsOfAnHvpaWithoutVPA(t *testing.T) {
	p := newPlace(t)
	p.workload("web", 2)
	p.demand("web", "0.38")
	share(t)
	p.eventuallyReady("web", 2)
	p.convert("web",
		`{apiVersion: autoscaling.k8s.io/v1alpha1, kind: Hvpa, metadata: {name: web}, spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web},
		hpa: {deploy: true, template: {spec: {minReplicas: 1, maxReplicas: 3, metrics: [{type: Resource, resource: {name: cpu, targetAverageUtilization: 100}}]}}},
		vpa: {deploy: false}, scalingIntervals: [{maxReplicas: 2, maxResources: {cpu: 200m}}, {maxReplicas: 3, maxResources: {cpu: 400m}}]}}`)
	eventually(t, patience, func() error { return p.sized("web", 2, 200, 200) })
	for _, pod := range p.eventuallyReady("web", 2) {
		if memory := pod.Spec.Containers[0].Resources.Requests.Memory(); memory.String() != "64Mi" {
			t.Errorf("%s was given %s of memory, which nobody asked for", pod.Name, memory)
		}
	}
	var obj v1alpha1.WorkloadAutoscaler
	if err := p.get(&obj, "web"); err != nil || obj.Spec.Vertical == nil || obj.Spec.Vertical.Source != v1alpha1.VerticalSourceNone {
		t.Errorf("the object has %+v, error %v", obj.Spec.Vertical, err)
	}
}

// TestWeightsOfAnHvpaGrowAtTheMaximum: all pods there may be are full, so they
// grow.
func TestWeightsOfAnHvpaGrowAtTheMaximum(t *testing.T) {
	p := newPlace(t)
	p.workload("web", 2)
	share(t)
	p.eventuallyReady("web", 2)
	p.demand("web", "0.198") // of both, and not of the first that is ready
	p.steady("web", "0.198")
	p.convert("web",
		`{apiVersion: autoscaling.k8s.io/v1alpha1, kind: Hvpa, metadata: {name: web}, spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web},
		hpa: {deploy: true, template: {spec: {minReplicas: 1, maxReplicas: 2, metrics: [{type: Resource, resource: {name: cpu, targetAverageUtilization: 50}}]}}},
		vpa: {deploy: true, scaleUp: {minChange: {cpu: {value: 50m}}},
			template: {spec: {resourcePolicy: {containerPolicies: [{containerName: app, maxAllowed: {cpu: 400m}}]}}}},
		weightBasedScalingIntervals: [{vpaWeight: 0, startReplicaCount: 1, lastReplicaCount: 1}, {vpaWeight: 100, startReplicaCount: 2, lastReplicaCount: 2}]}}`)
	// 198m are 99 % of what they have: four of them would be right, or two that are twice as big.
	eventually(t, patience, func() error { return p.sized("web", 2, 200, 200) })
	eventually(t, patience, p.told("web", "Normal AboveTarget"))
	always(t, 20*time.Second, func() error { return p.sized("web", 2, 200, 200) })
	// There are as many as there may be, and they stay within what they may have.
	p.demand("web", "1.5")
	eventually(t, patience, func() error { return p.sized("web", 2, 400, 400) })
	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "MaxReplicas"))
}

// convert makes the object that a foreign manifest becomes, and has it looked at
// every two seconds.
func (p *place) convert(name, manifest string) {
	p.t.Helper()
	file := filepath.Join(p.t.TempDir(), name+".yaml")
	if err := os.WriteFile(file, []byte(manifest), 0o600); err != nil {
		p.t.Fatal(err)
	}
	obj := &v1alpha1.WorkloadAutoscaler{}
	if err := yaml.UnmarshalStrict([]byte(tidemark(p.t, "convert", "-f", file)), obj); err != nil {
		p.t.Fatal(err)
	}
	obj.Namespace = p.name
	obj.Spec.Behavior.SyncPeriodSeconds = new(int32(2))
	if err := world.Create(p.t.Context(), obj); err != nil {
		p.t.Fatal(err)
	}
}

// sized tells what is wrong with the pods, when there are not so many, or their
// requests of CPU, in thousandths, are not within the bounds, or differ from what
// was decided.
func (p *place) sized(name string, count int, least, most int64) error {
	pods, err := p.ready(name)
	if err != nil {
		return err
	}
	status, err := p.status(name)
	if err != nil {
		return err
	}
	var requests []int64
	for _, pod := range pods {
		requests = append(requests, pod.Spec.Containers[0].Resources.Requests.Cpu().MilliValue())
	}
	slices.Sort(requests)
	if len(pods) != count || requests[0] < least || requests[count-1] > most || requests[0] != requests[count-1] {
		return fmt.Errorf("the pods request %v; want %d of %d to %d: %s", requests, count, least, most, summary(status))
	}
	return nil
}

func uids(pods []corev1.Pod) []types.UID {
	var out []types.UID
	for _, pod := range pods {
		out = append(out, pod.UID)
	}
	return out
}
