//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestHeadroomIsGivenInPlace: five pods of 100m have a core to do. What was
// decided for them, 260m or a step less, is what they get, and no pod is started.
func TestHeadroomIsGivenInPlace(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 5)
	before := p.eventuallyReady("web", 5)
	p.demand("web", "1")
	p.autoscaler("web", `{replicas: {min: 1, max: 50}, metrics: [{type: Resource, resource: {name: cpu}}],
		learn: {headroom: {risk: "0.03", minPercent: 11, maxPercent: 20, resize: {usual: 100m}}}}`)
	eventually(t, patience, p.comeTo("web", sizes{5, 5, 240, 260}))
	p.same(before, p.eventuallyReady("web", 5))
	for _, pod := range p.eventuallyReady("web", 5) {
		if memory := pod.Spec.Containers[0].Resources.Requests.Memory().String(); memory != "64Mi" {
			t.Errorf("pod %s requests %s of memory, which nobody sizes", pod.Name, memory)
		}
	}
}

// TestHeadroomKeepsTheProportionOfLimits: the limit was three times the request,
// and stays that; a pod that comes later has the same size from the start.
func TestHeadroomKeepsTheProportionOfLimits(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.deployment("web", 4, "", `requests: {cpu: 100m}, limits: {cpu: 300m}`)
	p.eventuallyReady("web", 4)
	p.demand("web", "520m")
	p.autoscaler("web", `{replicas: {min: 1, max: 50}, metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app}}],
		learn: {headroom: {risk: "0.03", minPercent: 11, maxPercent: 20, resize: {usual: 100m}}}}`)
	eventually(t, patience, p.comeTo("web", sizes{4, 4, 150, 200}))
	proportion := func() {
		t.Helper()
		for _, pod := range p.eventuallyReady("web", 4) {
			c := pod.Spec.Containers[0].Resources
			if limit, request := c.Limits.Cpu().MilliValue(), c.Requests.Cpu().MilliValue(); limit != 3*request {
				t.Errorf("pod %s has a limit of %dm for %dm, want three times as much", pod.Name, limit, request)
			}
		}
	}
	proportion()
	p.remove(&corev1.Pod{}, p.eventuallyReady("web", 4)[0].Name)
	eventually(t, patience, p.comeTo("web", sizes{4, 4, 150, 200}))
	proportion()
}

// recommended is the policy of examples/recommended.yaml, for the Deployment web
// and looked at more often than it asks for.
func recommended(t *testing.T) v1alpha1.WorkloadAutoscaler {
	t.Helper()
	text, err := os.ReadFile("../../examples/recommended.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var obj v1alpha1.WorkloadAutoscaler
	if err := yaml.UnmarshalStrict(text, &obj); err != nil {
		t.Fatal(err)
	}
	obj.Spec.Behavior = &v1alpha1.Behavior{SyncPeriodSeconds: new(int32(5))}
	return obj
}

// TestTheRecommendedPolicyFollowsADay: demand is less than what there is, four times as
// much, and a third of that. The pods come to request about as much: at least half of
// it, as they may use the room on their nodes as well, and not much more than it may
// jump by. What was decided is what they have, and its price is told.
func TestTheRecommendedPolicyFollowsADay(t *testing.T) {
	share(t)
	p := newPlace(t)
	obj := recommended(t)
	p.deployment("web", 5, "", `requests: {cpu: "1", memory: 64Mi}`)
	p.eventuallyReady("web", 5)
	p.demand("web", "3")
	obj.Namespace = p.name
	if err := world.Create(t.Context(), &obj); err != nil {
		t.Fatal(err)
	}
	for _, hour := range []struct{ cores, least, most int64 }{{3, 1500, 4700}, {12, 6000, 20_000}, {4, 2000, 10_000}} {
		t.Run(fmt.Sprintf("%d cores", hour.cores), func(t *testing.T) {
			p.demand("web", fmt.Sprint(hour.cores))
			eventually(t, 2*patience, p.capacity("web", hour.least))
			eventually(t, 2*patience, p.notAbove("web", hour.most))
			eventually(t, 2*patience, p.comeTo("web", sizes{1, 25, 500, 2000}))
		})
	}
	eventually(t, patience, p.explains("web", "costs least", "core-seconds"))
}

// TestPricesWithoutResizes: where pods are to keep their size, their number follows.
func TestPricesWithoutResizes(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 2)
	p.eventuallyReady("web", 2)
	p.demand("web", "800m")
	p.autoscaler("web", `{replicas: {min: 1, max: 50}, learn: {headroom: {resize: {enabled: false}}}}`)
	eventually(t, 2*patience, p.comeTo("web", sizes{5, 14, 100, 100}))
}

// notAbove is a check that the pods request no more than so much in all.
func (p *place) notAbove(name string, most int64) func() error {
	return func() error {
		pods, err := p.ready(name)
		if err != nil {
			return err
		}
		sum := int64(0)
		for _, cpu := range cpuOf(pods) {
			sum += cpu
		}
		if sum > most {
			status, _ := p.status(name)
			return fmt.Errorf("%s requests %dm in all, of pods of %vm, want at most %dm: %s", name, sum, cpuOf(pods), most, summary(status))
		}
		return nil
	}
}
