//go:build e2e

package e2e

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/controller/config"
)

// TestOutagesNeverScaleDown: without metrics-server, and with an API server that
// restarts meanwhile, the count stays although the demand is gone. What to do is
// told, and afterward the work goes on.
func TestOutagesNeverScaleDown(t *testing.T) {
	alone(t)
	p := newPlace(t)
	p.workload("web", 2)
	p.demand("web", "0.29")
	// Whoever loses the API server for long loses the leadership too, and is
	// started again. That is not what is looked at here.
	controller := startController(t, options{change: func(c *config.Controller) { c.LeaderElection.Enabled = new(bool) }})
	// The window is longer than it takes until the usage of new pods is known.
	p.autoscaler("web",
		`{replicas: {min: 1, max: 10}, behavior: {scaleDown: {stabilizationWindowSeconds: 20}}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}]}`)
	p.eventuallyHas("web", 6)
	p.eventuallyReady("web", 6)

	world.must(t, "stop", "metrics-server")
	p.demand("web", "0.095")
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData", "metrics-server"))
	world.must(t, "restart", "kube-apiserver")
	eventually(t, patience, p.has("web", 6))
	always(t, 10*time.Second, p.has("web", 6))

	world.must(t, "start", "metrics-server")
	p.eventuallyHas("web", 2)
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
	if err := controller.Ended(); err != nil {
		t.Error(err)
	}
}
