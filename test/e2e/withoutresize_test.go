//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestWithoutInPlaceResize: where the API server has no pods/resize, the same
// policy works by the count and by eviction, and says what is missing.
func TestWithoutInPlaceResize(t *testing.T) {
	if !withoutResize {
		t.Skip("this cluster resizes pods in place: make e2e-oldest starts one that does not")
	}
	gate := share(t).gate
	p := newPlace(t)
	p.queue("20")
	p.deployment("web", 2, `example.com/any: thing`, `requests: {cpu: 500m, memory: 64Mi}`)
	first := p.eventuallyReady("web", 2)
	p.scriptedVPA("web", "750m", "64Mi")
	p.autoscaler("web", `{replicas: {min: 2, max: 5}, containers: [{name: app, cpu: {}}], vertical: {source: VPA, vpaName: web},
		metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
	for _, pod := range first {
		eventually(t, patience, p.shows("web", "AbleToScale", "True", "Waiting", pod.Name, "the API server does not resize pods in place"))
	}

	p.queue("40")
	p.eventuallyHas("web", 4)
	all := p.eventuallyReady("web", 4)
	if got := cpuOf(all); !slices.Contains(got, 500) || !slices.Contains(got, 750) {
		t.Errorf("the pods have %vm, want the first two at 500m and the new ones at 750m", got)
	}

	for _, pod := range first {
		p.age(pod.Name, time.Hour)
	}
	eventually(t, patience, func() error {
		pods, err := p.ready("web")
		if err != nil {
			return err
		}
		if got := cpuOf(pods); !slices.Equal(got, []int64{750, 750, 750, 750}) {
			return fmt.Errorf("the pods have %vm, want four of 750m", got)
		}
		return nil
	})
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
	names := []string{first[0].Name, first[1].Name}
	slices.Sort(names)
	if diff := cmp.Diff(names, slices.Sorted(slices.Values(gate.evictions(p.name)))); diff != "" {
		t.Errorf("pods that were to be evicted (-want +got):\n%s", diff)
	}
}
