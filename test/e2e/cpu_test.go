//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestCPUScalesUpAndDown goes all the way: demand, pods, metrics-server,
// decision, Deployment, and what is said about it.
func TestCPUScalesUpAndDown(t *testing.T) {
	p := newPlace(t)
	p.workload("web", 2)
	p.demand("web", "0.29")
	share(t)
	// The window is longer than it takes until the usage of new pods is known.
	p.autoscaler("web",
		`{replicas: {min: 1, max: 10}, behavior: {scaleDown: {stabilizationWindowSeconds: 20}}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}]}`)

	// 290m in all, and half of a request of 100m a pod, make 6 pods.
	p.eventuallyHas("web", 6)
	eventually(t, patience, p.told("web", "Normal AboveTarget"))
	p.eventuallyReady("web", 6)
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
	eventually(t, patience, func() error {
		status, err := p.status("web")
		if d := status.LastDecision; err == nil && (d == nil || d.Want.Replicas != 6 || d.From.Replicas != 6 || status.Replicas != 6 ||
			*status.DesiredReplicas != 6) {
			err = fmt.Errorf("want a decision to stay at 6: %s", summary(status))
		}
		return err
	})

	p.demand("web", "0.095")
	p.eventuallyHas("web", 2)
	eventually(t, patience, p.told("web", "Normal BelowTarget"))
	status, err := p.status("web")
	if err != nil || status.LastScaleTime == nil {
		t.Errorf("want the time of the last change, got %v, error %v", status.LastScaleTime, err)
	}
}

// told is a check that there is an event about an object that begins with the
// words, and has the others.
func (p *place) told(name, words string, others ...string) func() error {
	says := func(event string) bool {
		has := strings.HasPrefix(event, words)
		for _, word := range others {
			has = has && strings.Contains(event, word)
		}
		return has
	}
	return func() error {
		all, err := p.events(name)
		if err == nil && !slices.ContainsFunc(all, says) {
			err = fmt.Errorf("no event about %s says %q and %q: %q", name, words, others, all)
		}
		return err
	}
}
