//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"github.com/tidemark/tidemark/internal/controller/config"
)

// turn is a demand, and what the pods come to be under it.
type turn struct {
	demand string
	want   sizes
}

// course is a workload whose pods are right-sized at a target of 50 %.
type course struct {
	pods       int
	cpu        string
	min        int
	least, max string
	turns      []turn
}

// A resting place is a range, because usage is measured: half of what all pods
// have is the demand, but for the tolerance of a tenth. What lies within it
// depends on the way there. Where a bound is what stops a change the size is
// exact.

// examples are the four of the Tortoise design, with its own numbers: the
// preferred maximum is 10. The demand falls again in the first two and rises again
// in the others.
var examples = map[string]course{
	"example 1": {10, "2", 3, "1", "5", []turn{
		{"10", exactly(10, 2000)}, {"20", sizes{10, 10, 3640, 4440}}, {"10", sizes{5, 6, 3640, 4440}}, {"20", sizes{8, 11, 3640, 4900}},
	}},
	"example 2": {10, "2", 3, "1", "5", []turn{
		{"25", sizes{10, 11, 4540, 5000}}, {"37500m", sizes{14, 17, 5000, 5000}}, {"25", sizes{9, 11, 5000, 5000}},
	}},
	"example 3": {3, "2", 3, "1", "5", []turn{
		{"2250m", sizes{3, 3, 1360, 1670}}, {"4500m", sizes{5, 7, 1360, 1670}}, {"2250m", sizes{3, 3, 1360, 1670}},
	}},
	"example 4": {3, "2", 3, "1", "5", []turn{
		{"600m", exactly(3, 1000)}, {"3", sizes{5, 7, 1000, 1000}}, {"600m", exactly(3, 1000)},
	}},
}

// others are like them with other numbers, among them a preferred maximum of 5.
var others = map[string]course{
	"the peak of a small workload": {5, "100m", 2, "50m", "1", []turn{
		{"250m", exactly(5, 100)}, {"1400m", sizes{5, 5, 509, 622}}, {"600m", sizes{2, 3, 509, 622}},
	}},
	"a peak beyond the largest size": {5, "100m", 2, "50m", "300m", []turn{
		// 750m would be exactly five pods of 300m, and the slightest noise a sixth.
		{"720m", sizes{5, 6, 262, 300}}, {"1160m", sizes{7, 9, 300, 300}}, {"720m", sizes{4, 6, 262, 300}},
	}},
	"a quiet workload": {3, "400m", 3, "50m", "1", []turn{
		{"300m", sizes{3, 3, 164, 222}}, {"600m", sizes{4, 5, 200, 300}}, {"300m", sizes{3, 3, 164, 250}},
	}},
	"a workload that sleeps": {3, "400m", 3, "150m", "1", []turn{
		{"30m", exactly(3, 150)}, {"450m", sizes{4, 5, 164, 222}},
	}},
}

// TestRightSizingSettles: whichever way the demand goes, all pods come to have
// the same size, asked for and in force, and then nothing changes any more.
func TestRightSizingSettles(t *testing.T) {
	through := share(t).gate
	for name, c := range examples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.run(t, through)
		})
	}
}

// TestRightSizingSettlesWithoutTheWebhook: new pods have the size of their
// template at first.
func TestRightSizingSettlesWithoutTheWebhook(t *testing.T) {
	alone(t)
	through, err := newGate(world.Config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(through.server.Close)
	startController(t, options{through: through, change: func(c *config.Controller) { c.Admin.PreferredMaxReplicas = new(int32(5)) }})
	t.Run("courses", func(t *testing.T) {
		for name, c := range others {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				c.run(t, through)
			})
		}
	})
}

func (c course) run(t *testing.T, through *gate) {
	p := newPlace(t)
	p.deployment("web", c.pods, "", fmt.Sprintf("requests: {cpu: %q, memory: 64Mi}", c.cpu))
	p.eventuallyReady("web", c.pods)
	p.demand("web", c.turns[0].demand)
	// An object made now would see pods that do nothing.
	eventually(t, patience, p.measured("web", c.turns[0].demand))
	p.autoscaler("web", fmt.Sprintf(`{replicas: {min: %d, max: 50},
		metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app, target: {averageUtilization: 50}}}],
		containers: [{name: app, cpu: {scaling: Horizontal, min: %q, max: %q}}]}`, c.min, c.least, c.max))
	for _, turn := range c.turns {
		p.demand("web", turn.demand)
		eventually(t, patience, p.measured("web", turn.demand))
		p.settled("web", through)
		eventually(t, patience, p.comeTo("web", turn.want))
	}
	p.silent(through, stillness)
	if err := p.comeTo("web", c.turns[len(c.turns)-1].want)(); err != nil {
		t.Error(err)
	}
}
