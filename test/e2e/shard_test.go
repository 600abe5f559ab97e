//go:build e2e

package e2e

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestShardsShareTheObjectsOut: two controllers work side by side, and each
// object is decided, written and shown by exactly one of them.
func TestShardsShareTheObjectsOut(t *testing.T) {
	alone(t)
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

// TestTheNumberOfShardsChanges: three controllers of three shards begin while two of
// two still work. One of those stops in good order, the other dies. Each object is
// decided by one of the two first, then by one of the three, and never by both.
func TestTheNumberOfShardsChanges(t *testing.T) {
	alone(t)
	const objects = 12
	p := newPlace(t)
	p.queue("20")
	var names []string
	for i := range objects {
		names = append(names, fmt.Sprintf("web-%d", i))
		p.workload(names[i], 1)
		p.autoscaler(names[i], byQueue)
	}
	all := func(count int32) {
		for _, name := range names {
			p.eventuallyHas(name, count)
		}
	}
	two := startRecording(t, "0/2", "1/2")
	all(2)
	three := startRecording(t, "0/3", "1/3", "2/3")
	p.queue("30")
	all(3)
	for _, one := range three {
		if decided := p.decided(one.record); len(decided) > 0 {
			t.Errorf("the controller with %v has decided about %d objects of others", one.flags, len(decided))
		}
	}
	if err := two[0].Stop(); err != nil {
		t.Error(err)
	}
	two[1].Kill()
	p.queue("40")
	all(4)
	for _, name := range names {
		before, after := p.deciderOf(name, two), p.deciderOf(name, three)
		if len(before) != 1 || len(after) != 1 {
			t.Errorf("%s was decided by %d of the two controllers, and by %d of the three, want one each", name, len(before), len(after))
			continue
		}
		if last, first := before[0][len(before[0])-1], after[0][0]; !last.Before(first) {
			t.Errorf("%s was decided by one of the three at %s, and after that by one of the two, at %s", name, first, last)
		}
	}
}

// recording is a controller that records its decisions.
type recording struct {
	*controllerProcess
	record string
}

func startRecording(t *testing.T, shards ...string) []recording {
	t.Helper()
	var out []recording
	for _, shard := range shards {
		file := filepath.Join(t.TempDir(), "decisions.jsonl")
		out = append(out, recording{startController(t, options{flags: []string{"--shard", shard, "--record", file}}), file})
	}
	return out
}

// deciderOf returns when each controller that did has decided about an object.
func (p *place) deciderOf(name string, among []recording) (out [][]time.Time) {
	p.t.Helper()
	for _, one := range among {
		if at := p.decided(one.record)[p.name+"/"+name]; len(at) > 0 {
			out = append(out, at)
		}
	}
	return out
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
