package replay

import (
	"testing"

	"github.com/tidemark/tidemark/internal/replay/sim"
)

// TestPodsGrowNoLargerThanANode: pods that are sized in place grow to what a node can hold,
// and then there are more of them, so that small nodes serve as well as large ones.
func TestPodsGrowNoLargerThanANode(t *testing.T) {
	const node = 1.5
	p := usual()
	wide := run(t, newReplay(t, waves(), p), true, recommended(t))[0]
	p.Nodes = sim.Nodes{Count: 60, CPU: 1500}
	small := run(t, newReplay(t, waves(), p), true, recommended(t))[0]
	if largest(wide) <= node {
		t.Fatalf("pods grow to %g where nothing bounds them: the test shows nothing", largest(wide))
	}
	if got := largest(small); got > node {
		t.Errorf("a pod of %g is decided, and no node can hold it", got)
	}
	if small.Score.UnservedPercent > wide.Score.UnservedPercent+1 {
		t.Errorf("%.2f %% was not served, without nodes %.2f %%", small.Score.UnservedPercent, wide.Score.UnservedPercent)
	}
}

// largest is the largest request for cpu, in cores, that was decided.
func largest(r Result) (most float64) {
	for _, m := range r.Timeline {
		most = max(most, m.WantCPU)
	}
	return most
}
