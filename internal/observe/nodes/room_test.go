package nodes

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/scale"
)

var (
	monday = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	span   = Span{Oldest: monday.Add(-5 * time.Minute), Now: monday}
)

// pod is one on a node that requests and uses so many thousandths of a core.
func pod(node string, requests, used scale.Amount) Pod {
	return Pod{Node: node, Pod: &scale.Pod{UsageAt: monday, Containers: []scale.PodContainer{{
		Requests: scale.Resources{}.With(scale.CPU, requests), Usage: scale.Resources{}.With(scale.CPU, used),
	}}}}
}

// with returns a pod that was changed.
func with(p Pod, change func(*Pod)) Pod {
	change(&p)
	return p
}

func node(used scale.Amount) Node { return Node{Allocatable: 8000, Used: used, At: monday} }

// TestRoom is worked out by hand. A node has 8 cores; where two pods that request
// one each use 0.5, and everything on it uses 4, the others use 3: 8 − 3 − 2 = 3 are
// left, one and a half times what the pods request.
func TestRoom(t *testing.T) {
	two := []Pod{pod("a", 1000, 500), pod("a", 1000, 500)}
	known := map[string]Node{"a": node(4000)}
	limited := func(limit scale.Amount) func(*Pod) { return func(p *Pod) { p.Limit = limit } }
	for name, c := range map[string]struct {
		pods  []Pod
		known map[string]Node
		want  scale.Amount
		at    time.Time
		none  bool
	}{
		"one node":                    {pods: two, known: known, want: 1500},
		"others use more":             {pods: two, known: map[string]Node{"a": node(6000)}, want: 500},
		"others use all":              {pods: two, known: map[string]Node{"a": node(9000)}, want: 0},
		"we use all of it":            {pods: []Pod{pod("a", 1000, 4000)}, known: known, want: 7000},
		"we use more than was seen":   {pods: []Pod{pod("a", 1000, 5000)}, known: known, want: 7000},
		"one of ours is not measured": {pods: []Pod{two[0], with(pod("a", 1000, 0), func(p *Pod) { p.Containers[0].Usage = scale.Resources{} })}, known: known, want: 1250},
		"one of ours was measured long ago": {
			pods: []Pod{two[0], with(pod("a", 1000, 500), func(p *Pod) { p.UsageAt = monday.Add(-time.Hour) })}, known: known, want: 1250,
		},
		"limits of half more":        {pods: []Pod{with(two[0], limited(1500)), with(two[1], limited(1500))}, known: known, want: 500},
		"limits that allow more":     {pods: []Pod{with(two[0], limited(4000)), with(two[1], limited(4000))}, known: known, want: 1500},
		"one has no limit":           {pods: []Pod{with(two[0], limited(1500)), two[1]}, known: known, want: 1500},
		"a pod that has ended":       {pods: append([]Pod{with(pod("b", 1000, 0), func(p *Pod) { p.Phase = scale.Failed })}, two...), known: known, want: 1500},
		"a pod without a node":       {pods: append([]Pod{pod("", 1000, 0)}, two...), known: known, want: 1500},
		"half of the nodes is known": {pods: append([]Pod{pod("b", 2000, 0)}, two...), known: known, want: 1500},
		"less than half is known":    {pods: append([]Pod{pod("b", 2001, 0)}, two...), known: known, none: true},
		"measured at two moments": {
			pods:  append([]Pod{pod("b", 2000, 0)}, two...),
			known: map[string]Node{"a": node(4000), "b": {Allocatable: 4000, Used: 1000, At: monday.Add(-time.Minute)}}, want: 1000, at: monday.Add(-time.Minute),
		},
		"what is in force counts": {
			pods: []Pod{with(pod("a", 4000, 1000), func(p *Pod) { p.Containers[0].InForce = scale.Resources{}.With(scale.CPU, 2000) })}, known: known, want: 1500,
		},
		"requests of the pod itself": {
			pods: []Pod{with(pod("a", 500, 1000), func(p *Pod) { p.Requests = scale.Resources{}.With(scale.CPU, 2000) })}, known: known, want: 1500,
		},
		"nobody knows the node":        {pods: two, none: true},
		"measured long ago":            {pods: two, known: map[string]Node{"a": {Allocatable: 8000, Used: 4000, At: monday.Add(-6 * time.Minute)}}, none: true},
		"measured in the future":       {pods: two, known: map[string]Node{"a": {Allocatable: 8000, Used: 4000, At: monday.Add(time.Second)}}, none: true},
		"a node that uses less than 0": {pods: two, known: map[string]Node{"a": node(-1)}, none: true},
		"a node without a size":        {pods: two, known: map[string]Node{"a": {Used: 4000, At: monday}}, none: true},
		"none of ours is measured":     {pods: []Pod{with(pod("a", 1000, 0), func(p *Pod) { p.Containers[0].Usage = scale.Resources{} })}, known: known, none: true},
		"a usage below 0":              {pods: []Pod{pod("a", 1000, -1)}, known: known, none: true},
		"pods that request nothing":    {pods: []Pod{pod("a", 0, 500)}, known: known, none: true},
		"no pods":                      {known: known, none: true},
	} {
		t.Run(name, func(t *testing.T) {
			var want *scale.Room
			if !c.none {
				if want = (&scale.Room{At: monday, Share: c.want, Largest: 8000}); !c.at.IsZero() {
					want.At = c.at
				}
			}
			if diff := cmp.Diff(want, Room(c.pods, c.known, span)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
