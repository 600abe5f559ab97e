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

// TestTheRecommendedPolicyFollowsADay: demand rises in two steps that the pods
// can carry by their size, falls until they are fewer, and rises past what those
// can carry. Whatever the demand is, what the pods have in force comes to be
// enough for it, and what was decided is what they have.
func TestTheRecommendedPolicyFollowsADay(t *testing.T) {
	share(t)
	p := newPlace(t)
	obj := recommended(t)
	p.deployment("web", 5, "", `requests: {cpu: "1", memory: 64Mi}`)
	night := p.eventuallyReady("web", 5)
	obj.Namespace = p.name
	if err := world.Create(t.Context(), &obj); err != nil {
		t.Fatal(err)
	}
	for _, hour := range []struct {
		demand string
		milli  int64
		want   sizes
		// inPlace is set where no pod may be started.
		inPlace bool
	}{
		{"3", 3000, sizes{5, 5, 600, 1000}, true},
		{"9500m", 9500, sizes{5, 5, 2000, 3500}, true},
		{"13", 13000, sizes{5, 5, 3000, 3500}, true},
		{"5", 5000, sizes{5, 5, 1000, 1600}, true},
		{"600m", 600, sizes{1, 2, 500, 2000}, true},
		{"8", 8000, sizes{5, 12, 800, 2000}, false},
	} {
		t.Run(fmt.Sprintf("%+v", hour), func(t *testing.T) {
			p.demand("web", hour.demand)
			eventually(t, 2*patience, p.capacity("web", hour.milli))
			eventually(t, 2*patience, p.comeTo("web", hour.want))
			pods, err := p.ready("web")
			if err != nil {
				t.Fatal(err)
			}
			if hour.inPlace {
				p.same(night, pods)
			}
		})
	}
}
