//go:build e2e

package e2e

import (
	"fmt"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestRestartsInAWindowChangeNothing: one leader dies and another one steps down
// while a scale-down waits for its window. The window ends when it would have
// ended without them.
func TestRestartsInAWindowChangeNothing(t *testing.T) {
	alone(t)
	// The first leader dies well within the window, and long enough after its
	// beginning to tell an old window from a new one, however late things come.
	const window, sync, before = 90 * time.Second, 2 * time.Second, 30 * time.Second
	p := newPlace(t)
	p.queue("40")
	p.workload("web", 2)
	p.autoscaler("web", `{replicas: {min: 1, max: 9}, behavior: {scaleDown: {stabilizationWindowSeconds: 90}},
		metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
	first := startController(t, options{})
	p.eventuallyHas("web", 4)
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
	second := startController(t, options{})

	began := time.Now()
	p.queue("10")
	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "Stabilized"))
	leader := holder(t, "tidemark-controller")
	time.Sleep(time.Until(began.Add(before)))
	first.Kill()
	eventually(t, patience, func() error { return succeeded(t, leader) })
	tookOver, leader := time.Now(), holder(t, "tidemark-controller")

	startController(t, options{})
	if err := second.Stop(); err != nil {
		t.Error(err)
	}
	eventually(t, patience, func() error { return succeeded(t, leader) })
	if err := p.has("web", 4)(); err != nil && time.Since(began) < window {
		t.Fatal(err)
	}
	eventually(t, patience, p.has("web", 1))
	// A window that began anew with the second leader would end later.
	if now := time.Now(); now.Before(began.Add(window-sync)) || now.After(tookOver.Add(window)) {
		t.Errorf("the window of %s began at %s, the second leader took over at %s, and the scale-down came at %s", window, began, tookOver, now)
	}
}

// holder is who leads now, by the name of the lease.
func holder(t *testing.T, name string) string {
	var lease coordinationv1.Lease
	if err := world.Get(t.Context(), client.ObjectKey{Namespace: "tidemark-system", Name: name}, &lease); err != nil {
		t.Fatal(err)
	}
	if lease.Spec.HolderIdentity == nil {
		return ""
	}
	return *lease.Spec.HolderIdentity
}

// succeeded tells whether somebody else leads now.
func succeeded(t *testing.T, before string) error {
	if now := holder(t, "tidemark-controller"); now == "" || now == before {
		return fmt.Errorf("the leader is %q, and was %q", now, before)
	}
	return nil
}
