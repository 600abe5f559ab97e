//go:build e2e

package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestShardsShareTheObjectsOut: two controllers work side by side, and each
// object is decided, written and shown by exactly one of them.
func TestShardsShareTheObjectsOut(t *testing.T) {
	// That all of so many belong to one shard happens once in 30,000 runs.
	const objects = 16
	p := newPlace(t)
	p.queue("20")
	want := map[string]int{}
	for i := range objects {
		name := fmt.Sprintf("web-%d", i)
		p.workload(name, 1)
		p.autoscaler(name, byQueue)
		want[name] = 1
	}
	shards := []*controllerProcess{startShard(t, "0/2"), startShard(t, "1/2")}
	for name := range want {
		p.eventuallyHas(name, 2)
		eventually(t, patience, p.shows(name, "ScalingActive", "True", "WithinTolerance"))
	}

	shown, written := map[string]int{}, map[string]int{}
	for _, one := range shards {
		mine := p.shownBy(t, one)
		if len(mine) == 0 {
			t.Errorf("the controller with %v has no objects", one.flags)
		}
		writes := one.through.scaled(p.name)
		if diff := cmp.Diff(mine, writes); diff != "" {
			t.Errorf("the controller with %v shows and scales different objects (-shows +scales):\n%s", one.flags, diff)
		}
		count(shown, mine)
		count(written, writes)
	}
	for what, got := range map[string]map[string]int{"shown": shown, "written": written} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("how often each object is %s (-want +got):\n%s", what, diff)
		}
	}
	first, second := holder(t, "tidemark-controller-0-of-2"), holder(t, "tidemark-controller-1-of-2")
	if first == "" || second == "" || first == second {
		t.Errorf("the leases are held by %q and %q, want two controllers", first, second)
	}
}

// startShard starts the controller of a shard, behind a gate of its own.
func startShard(t *testing.T, shard string) *controllerProcess {
	t.Helper()
	through, err := newGate(world.Config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(through.server.Close)
	return startController(t, options{through: through, flags: []string{"--shard", shard}})
}

// shownBy returns the objects of the namespace that a controller has series of.
func (p *place) shownBy(t *testing.T, c *controllerProcess) map[string]bool {
	t.Helper()
	text, err := c.Series()
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`(?m)^tidemark_workload_\w+\{.*\bname="([^"]+)",namespace="` + p.name + `"`)
	out := map[string]bool{}
	for _, found := range form.FindAllStringSubmatch(text, -1) {
		out[found[1]] = true
	}
	return out
}

// scaled returns the Deployments of a namespace whose scale was written.
func (g *gate) scaled(namespace string) map[string]bool {
	out := map[string]bool{}
	for what := range g.of(namespace) {
		if name, ok := strings.CutPrefix(what, "PUT apps/v1 deployments/"); ok {
			out[strings.TrimSuffix(name, "/scale")] = true
		}
	}
	return out
}

func count(into map[string]int, names map[string]bool) {
	for name := range names {
		into[name]++
	}
}
