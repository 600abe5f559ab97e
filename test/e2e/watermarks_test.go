//go:build e2e

package e2e

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// TestWatermarksOfEverySource scripts one value through the metrics adapter for
// each kind of metric that is not about resources. The marks are 10 and 20 a pod.
func TestWatermarksOfEverySource(t *testing.T) {
	beside(t)
	for name, source := range map[string]struct{ metric, script string }{
		"External": {
			`{type: External, external: {metric: {name: queue_length, selector: {matchLabels: {queue: orders}}}, watermarks: {type: AverageValue, low: 10, high: 20}}}`,
			"external: queue_length\nlabels: {queue: orders}\nvalue: %q\n",
		},
		"Object": {
			`{type: Object, object: {describedObject: {kind: Service, name: front}, metric: {name: hits}, watermarks: {type: AverageValue, low: 10, high: 20}}}`,
			"custom: hits\nresource: services\nname: front\nvalue: %q\n",
		},
		"Pods": {
			`{type: Pods, pods: {metric: {name: tps}, watermarks: {low: 10, high: 20}}}`,
			"custom: tps\nresource: pods\ntotal: %q\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			share(t)
			p := newPlace(t)
			p.create(&corev1.Service{}, `{metadata: {name: front}, spec: {ports: [{port: 80}]}}`)
			p.metric("load", source.script, "100")
			p.workload("web", 2)
			p.autoscaler("web", `{replicas: {min: 1, max: 10}, metrics: [`+source.metric+`]}`)

			p.eventuallyHas("web", 5)
			eventually(t, patience, p.told("web", "Normal AboveHighWatermark"))
			p.eventuallyReady("web", 5)

			p.metric("load", source.script, "60")
			eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinWatermarks"))
			always(t, 5*time.Second, p.has("web", 5))

			p.metric("load", source.script, "20")
			p.eventuallyHas("web", 2)
			eventually(t, patience, p.told("web", "Normal BelowLowWatermark"))
		})
	}
}
