package hpa_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/apply/hpa"
	"github.com/tidemark/tidemark/scale"
)

func pods(names ...string) []scale.Container {
	var out []scale.Container
	for _, name := range names {
		out = append(out, scale.Container{Name: name})
	}
	return out
}

// TestSeen: the list of what can be tuned is the HPA's own, with its own values,
// and of every other metric it is said why not.
func TestSeen(t *testing.T) {
	object := read(t, `
metadata: {annotations: {tortoises.autoscaling.mercari.com/container-based-cpu-metric-prefix: load-,
  autoscaling.tidemark.dev/container-based-memory-metric-prefix: mem-}}
spec:
  minReplicas: 6
  maxReplicas: 30
  metrics:
  - {type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 60}}}
  - {type: External, external: {metric: {name: load-sidecar}, target: {type: Value, value: 80}}}
  - {type: External, external: {metric: {name: mem-app}, target: {type: Value, value: 75500m}}}
  - {type: Resource, resource: {name: memory, target: {type: Utilization, averageUtilization: 70}}}
  - {type: ContainerResource, containerResource: {name: cpu, container: gone, target: {type: Utilization, averageUtilization: 60}}}
  - {type: ContainerResource, containerResource: {name: memory, container: sidecar, target: {type: AverageValue, averageValue: 1Gi}}}
  - {type: External, external: {metric: {name: queue}, target: {type: Value, value: 70}}}
  - {type: External, external: {metric: {name: load-app}, target: {type: AverageValue, averageValue: 70}}}
  - {type: Pods, pods: {metric: {name: hits}, target: {type: AverageValue, averageValue: 5}}}
`)
	got := hpa.Seen(object, pods("app", "sidecar"))
	want := &scale.HPA{Min: 6, Max: 30, Targets: []scale.LearnedTarget{
		{Container: "app", Resource: scale.CPU, Percent: 60}, {Container: "app", Resource: scale.Memory, Percent: 75}, {Container: "sidecar", Resource: scale.CPU, Percent: 80},
	}, Untuned: got.Untuned}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i, words := range []string{
		"metrics[3] (memory of the pods) stays as it is: the pods have 2 containers", "metrics[4] (cpu of gone) stays as it is: the pods have no such container",
		"metrics[5] (memory of sidecar) stays as it is: it has its target in amounts", `metrics[6] (External "queue") stays as it is: it is not one prefix`,
		`metrics[7] (External "load-app") stays as it is: its target is no value in percent`, "metrics[8] (Pods) stays as it is",
	} {
		t.Run(words, func(t *testing.T) {
			if i >= len(got.Untuned) || !strings.HasPrefix(got.Untuned[i], words) {
				t.Errorf("%q does not say %q", got.Untuned, words)
			}
		})
	}
	if len(got.Untuned) != 6 {
		t.Errorf("%d are untuned: %q", len(got.Untuned), got.Untuned)
	}
}

// TestSeenOfOneContainer: a metric of whole pods is that of the only container,
// and where two metrics speak of the same the smaller one decides.
func TestSeenOfOneContainer(t *testing.T) {
	object := read(t, `
spec:
  maxReplicas: 30
  metrics:
  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}
  - {type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 60}}}
`)
	want := &scale.HPA{Min: 1, Max: 30, Targets: []scale.LearnedTarget{{Container: "app", Resource: scale.CPU, Percent: 60}}}
	if diff := cmp.Diff(want, hpa.Seen(object, pods("app"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSeenBoundsAreTheOwners: not those that we have set.
func TestSeenBoundsAreTheOwners(t *testing.T) {
	tuned, _ := keep(t, read(t, theirs), everything)
	got := hpa.Seen(tuned, pods("app", "sidecar"))
	if got.Min != 6 || got.Max != 30 || got.Targets[0].Percent != 75 {
		t.Errorf("got %+v, want its owner's bounds and its present targets", got)
	}
	tuned.Spec.MaxReplicas = 50
	if got := hpa.Seen(tuned, nil); got.Max != 50 {
		t.Errorf("got a maximum of %d, want the 50 that someone set since", got.Max)
	}
}
