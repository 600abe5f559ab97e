package sim

import (
	"testing"

	"github.com/tidemark/tidemark/scale"
)

// TestPodsWithoutANodeStayPending is worked out by hand: two nodes of 2.5 cores
// take two pods of one core each. The fifth pod waits from 15 s to 60 s, when
// two leave; it is not paid for.
func TestPodsWithoutANodeStayPending(t *testing.T) {
	s := stepDemand(t)
	s.Nodes = Nodes{Count: 2, CPU: 2500}
	phases := map[scale.Phase]int{}
	got := Run(s, scripted{15 * second: 5, 60 * second: 3, 75 * second: 4}, nil)
	if got.Pending != 45*second || got.Cores != coreSeconds(2*15+4*45+3*15+4*105) {
		t.Errorf("pending for %s at a cost of %+v", got.Pending, got.Cores)
	}
	p := NewPlant(s)
	p.apply(p.Size().WithReplicas(5))
	for _, pod := range p.Observe(nil).Pods {
		phases[pod.Phase]++
	}
	if phases[scale.Running] != 4 || phases[scale.Pending] != 1 {
		t.Errorf("phases: %v", phases)
	}
}

// TestPendingPodsSaySinceWhen: for five minutes they count as ordered, so who looks has to
// know for how long they have waited, however often a node was looked for.
func TestPendingPodsSaySinceWhen(t *testing.T) {
	s := stepDemand(t)
	s.Nodes = Nodes{Count: 2, CPU: 2500}
	p := NewPlant(s)
	p.apply(p.Size().WithReplicas(5))
	p.workload.placeDue(p.now.Add(15 * second))
	for _, pod := range p.Observe(nil).Pods {
		if pod.Pending != "" && !pod.PendingSince.Equal(p.now) {
			t.Errorf("%s is pending since %s, want %s", pod.Name, pod.PendingSince, p.now)
		}
	}
}

// TestPendingPodsTakeTheRoomOfOthers: when the desired count falls from six to
// five, the pod that leaves is pending itself; when pods shrink, the rest find
// room.
func TestPendingPodsTakeTheRoomOfOthers(t *testing.T) {
	s := stepDemand(t)
	s.Nodes, s.Replicas = Nodes{Count: 1, CPU: 4000}, 6
	p := NewPlant(s)
	pending := func() (n int) {
		for i := range p.workload.pods {
			if p.workload.pods[i].pending {
				n++
			}
		}
		return n
	}
	if got := pending(); got != 2 {
		t.Errorf("%d of six are pending, want 2", got)
	}
	p.apply(p.Size().WithReplicas(5))
	if got := pending(); got != 1 {
		t.Errorf("%d of five are pending, want 1", got)
	}
	for range 4 { // One pod a round gives up room.
		p.apply(sized(5, 800))
	}
	if got := pending(); got != 0 {
		t.Errorf("%d of five small ones are pending", got)
	}
	if free, _ := p.workload.nodes.free[0].Get(scale.CPU); free != 0 {
		t.Errorf("%d are free", free)
	}
}

// TestNodeWithoutRoomDefersAResize: of two pods on 2.5 cores one can have 1.5.
// The other gets it once that one is gone.
func TestNodeWithoutRoomDefersAResize(t *testing.T) {
	s := stepDemand(t)
	s.Nodes = Nodes{Count: 1, CPU: 2500}
	p := NewPlant(s)
	p.apply(sized(2, 1500))
	if got := p.workload.capacity(p.now); got != 2500 {
		t.Errorf("they can do %d", got)
	}
	p.apply(sized(1, 1500))
	p.apply(sized(2, 1200))
	if got := p.workload.capacity(p.now); got != 1200 || p.workload.resizer.olds != 0 {
		t.Errorf("with a new pod that starts they can do %d, %d are old", got, p.workload.resizer.olds)
	}
}

// TestMemoryOfNodes bounds as cpu does.
func TestMemoryOfNodes(t *testing.T) {
	s := stepDemand(t)
	s.Nodes, s.Replicas = Nodes{Count: 3, Memory: 4000}, 9
	if got := NewPlant(s).workload.Ready(monday); got != 6 {
		t.Errorf("%d pods run, want 2 on each of 3 nodes", got)
	}
}

// TestTheSizeOfNodesIsSeen: what others have taken of a node is not gone for good, and
// nodes without a size bound nothing.
func TestTheSizeOfNodesIsSeen(t *testing.T) {
	for name, tc := range map[string]struct {
		nodes Nodes
		want  scale.Resources
		none  bool
	}{
		"cpu":       {nodes: Nodes{Count: 2, CPU: 4000, Taken: scale.Parts / 2}, want: scale.Resources{}.With(scale.CPU, 4000)},
		"both":      {nodes: Nodes{Count: 1, CPU: 2500, Memory: 9000}, want: scale.Resources{}.With(scale.CPU, 2500).With(scale.Memory, 9000)},
		"no size":   {nodes: Nodes{Count: 3}, none: true},
		"any nodes": {none: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := stepDemand(t)
			s.Nodes = tc.nodes
			got := NewPlant(s).Observe(nil).Capacity
			if (got == nil) != tc.none || got != nil && got.LargestNode != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}
