//go:build e2e

package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestAtRestThereIsOnlyTheSnapshot: objects whose workloads are as they should
// be cause no write, and no read but those of the metrics, which they share: an
// answer serves everyone for half a period.
func TestAtRestThereIsOnlyTheSnapshot(t *testing.T) {
	gate := share(t).gate
	const sync, objects, during = 2 * time.Second, 6, 20 * time.Second
	p := newPlace(t)
	p.queue("40")
	for i := range objects {
		name := fmt.Sprintf("web-%d", i)
		p.workload(name, 2)
		p.demand(name, "0.1")
		p.autoscaler(name, `{replicas: {min: 1, max: 9}, metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 20}}},
			{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}]}`)
	}
	for i := range objects {
		eventually(t, patience, p.shows(fmt.Sprintf("web-%d", i), "ScalingActive", "True", "WithinTolerance"))
	}
	eventually(t, patience, func() error {
		before, began := gate.of(p.name), time.Now()
		time.Sleep(during)
		after, took := gate.of(p.name), time.Since(began)
		got := map[string]bool{}
		for what, n := range after {
			if grown := n - before[what]; grown > 0 {
				got[what] = true
				if most := 2*int(took/sync) + 2; grown > most {
					return fmt.Errorf("%s was asked %d times in %s, want at most %d", what, grown, took, most)
				}
			}
		}
		// Where others' namespaces are looked at as well, usage is listed for all of
		// them together, and not for this one.
		delete(got, "GET metrics.k8s.io/v1beta1 pods")
		want := map[string]bool{"GET external.metrics.k8s.io/v1beta1 queue_length": true}
		if diff := cmp.Diff(want, got); diff != "" {
			return fmt.Errorf("requests at rest (-want +got):\n%s", diff)
		}
		return nil
	})
}
