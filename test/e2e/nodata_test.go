//go:build e2e

package e2e

import (
	"testing"
	"time"
)

// TestBlindMetricsHoldTheCount: a metric that fails, is missing or is old keeps
// the count, says so, and counts again when it is back.
func TestBlindMetricsHoldTheCount(t *testing.T) {
	beside(t)
	for name, script := range map[string]string{
		"failing": "external: queue_length\nvalue: error\n",
		"missing": "external: another\nvalue: \"1\"\n",
		"stale":   "external: queue_length\nvalue: \"1\"\nage: 20m\n",
	} {
		t.Run(name, func(t *testing.T) {
			share(t)
			p := newPlace(t)
			p.queue("40")
			p.workload("web", 2)
			p.autoscaler("web", `{replicas: {min: 1, max: 9}, metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
			p.eventuallyHas("web", 4)

			p.metric("queue", "%s", script)
			eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData", "queue_length"))
			eventually(t, patience, p.told("web", "Warning NoData"))
			always(t, 10*time.Second, p.has("web", 4))

			p.queue("20")
			p.eventuallyHas("web", 2)
			eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
		})
	}
}
