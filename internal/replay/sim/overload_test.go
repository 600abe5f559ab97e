package sim

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// TestOverload: under a demand of five cores four pods of one core are not ready
// any more, but use all they have. With a fifth pod they are ready again.
func TestOverload(t *testing.T) {
	p := eventful(t, Settings{Overload: true, StartUp: 5 * time.Second})
	start := p.settings.Demand.Start()
	p.demand.points = []trace.Point{{At: start, Value: 2000}, {At: start.Add(10 * time.Second), Value: 5000}}
	if ready, usage := p.seen(5 * time.Second); ready != 4 || usage != 2000 {
		t.Errorf("before: %d ready, %dm used", ready, usage)
	}
	if ready, usage := p.seen(20 * time.Second); ready != 0 || usage != 4000 {
		t.Errorf("overloaded: %d ready, %dm used; want none, and all they have", ready, usage)
	}
	if pod := p.Observe(nil).Pods[0]; !pod.ReadyChangedAt.Equal(start.Add(10 * time.Second)) {
		t.Errorf("it is not ready since %s", pod.ReadyChangedAt)
	}
	p.workload.Scale(p.now, 5)
	if ready, usage := p.seen(30 * time.Second); ready != 5 || usage != 5000 {
		t.Errorf("with a fifth pod: %d ready, %dm used", ready, usage)
	}
	if pod := p.Observe(nil).Pods[0]; pod.Ready != scale.Ready || !pod.ReadyChangedAt.Equal(start.Add(25*time.Second)) {
		t.Errorf("it is ready since %s", pod.ReadyChangedAt)
	}
}
