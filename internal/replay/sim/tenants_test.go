package sim

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/seeded"
	"github.com/tidemark/tidemark/scale"
)

// TestTenants: over four weeks they use what they are said to, as far from it and
// as much together with our own demand, and forget in ten minutes.
func TestTenants(t *testing.T) {
	s := Honest()
	values := make([]scale.Amount, 28*24*60)
	for i := range values {
		values[i] = 10_000 + scale.Amount(3000*math.Sin(float64(i)/1440*2*math.Pi))
	}
	s.Demand = demandOf(t, time.Minute, values...)
	for _, s.Grain = range []time.Duration{0, 15 * time.Second} {
		t.Run(s.Steps().String(), func(t *testing.T) { tenantsOf(t, s) })
	}
}

func tenantsOf(t *testing.T, s Settings) {
	n := newNeighbors(&s)
	var uses, own []float64
	c := cursor{Demand: s.Demand}
	for at := s.Demand.Start(); at.Before(s.Demand.End()); at = at.Add(s.Steps()) {
		c.moveTo(at)
		n.moveTo(at, c.value())
		uses, own = append(uses, float64(n.uses)/scale.Parts), append(own, float64(c.value()))
	}
	mean, deviation := moments(uses)
	if math.Abs(mean-0.7) > 0.01 || math.Abs(deviation-0.1) > 0.01 {
		t.Errorf("mean %.4f, deviation %.4f", mean, deviation)
	}
	if got := correlation(uses, own); math.Abs(got-0.5) > 0.03 {
		t.Errorf("correlation %.3f", got)
	}
	var drifts []float64
	for i, w := 0, n.drifts; i < 400_000; i++ {
		w.step(seeded.Normal(1, uint64(i)))
		drifts = append(drifts, float64(w.now))
	}
	apart := int(10 * time.Minute / s.Steps())
	if got, want := correlation(drifts[:len(drifts)-apart], drifts[apart:]), math.Exp(-1); math.Abs(got-want) > 0.08 {
		t.Errorf("after ten minutes %.3f of it is left, want %.3f", got, want)
	}
}

func moments(x []float64) (mean, deviation float64) {
	squares := 0.0
	for _, v := range x {
		mean, squares = mean+v/float64(len(x)), squares+v*v/float64(len(x))
	}
	return mean, math.Sqrt(max(squares-mean*mean, 0))
}

func correlation(a, b []float64) float64 {
	meanA, devA := moments(a)
	meanB, devB := moments(b)
	sum := 0.0
	for i := range a {
		sum += (a[i] - meanA) * (b[i] - meanB)
	}
	return sum / float64(len(a)) / devA / devB
}

// TestSharesOfTheKernel is worked out by hand. Who requests one core on a node that
// is full by requests may use 1/x of it where everyone uses x: 1.25 at 80 %, 2 at
// 50 %, nothing more where all of it is used. Limits and what the application can
// use bound it.
func TestSharesOfTheKernel(t *testing.T) {
	for name, c := range map[string]struct {
		uses           int64
		limit, ceiling scale.Amount
		reserve        int64
		want           scale.Amount
	}{
		"80 %":       {uses: 800_000_000, want: 1250},
		"50 %":       {uses: 500_000_000, want: 2000},
		"all":        {uses: scale.Parts, want: 1000},
		"a limit":    {uses: 500_000_000, limit: 1500, want: 1500},
		"one thread": {uses: 500_000_000, limit: 1500, ceiling: 1100, want: 1100},
		"a reserve":  {uses: scale.Parts, reserve: scale.Parts / 5, want: 1200},
	} {
		t.Run(name, func(t *testing.T) {
			n := neighbors{uses: c.uses}
			w := Workload{Ceiling: c.ceiling, shares: true, others: others{uses: c.uses, room: n.room(), reserve: c.reserve}}
			size := podSize{requests: scale.Resources{}.With(scale.CPU, 1000)}
			if c.limit > 0 {
				size.limits = size.limits.With(scale.CPU, c.limit)
			}
			if got := w.most(size, 0); got != c.want {
				t.Errorf("%s: %d, want %d", name, got, c.want)
			}
		})
	}
}

// TestRoomOfANode is worked out by hand: of 8 cores others request 4 and use 70 %
// of that, and two pods of ours request one each. So 8 − 2.8 − 2 = 3.2 cores are
// left for them, 1.6 each; on a node where one pod is alone it has 4.2.
func TestRoomOfANode(t *testing.T) {
	s := Honest()
	s.Demand, s.Replicas, s.Limits = demandOf(t, time.Minute, 1000, 1000), 5, scale.Resources{}
	s.Nodes = Nodes{Count: 3, CPU: 8000, Taken: scale.Parts / 2}
	s.Requests = s.Requests.With(scale.CPU, 2000)
	p := NewPlant(s)
	p.workload.others = others{uses: scale.Parts * 7 / 10, room: scale.Parts}
	// Two pods of 2 cores fill a node by requests.
	for node, want := range []int64{300_000_000, 300_000_000, 1_600_000_000} {
		if got := p.workload.roomOn(node); got != want {
			t.Errorf("node %d: room %d, want %d", node, got, want)
		}
	}
	// 4 × 2.6 and 1 × 5.2 cores, and all room by all requests: (1.2 + 1.2 + 3.2) / 10.
	if got := p.workload.capacity(p.now); got != 4*2600+5200 {
		t.Errorf("capacity %d", got)
	}
	if got := p.roomNow(); got != 560 {
		t.Errorf("room of all %d", got)
	}
	p.workload.Limits = scale.Resources{}.With(scale.CPU, 3000)
	if got := p.roomNow(); got != 500 {
		t.Errorf("room of all %d where the limit is half more than the request", got)
	}
	p.workload.Limits, p.workload.others.reserve = scale.Resources{}, scale.Parts*3/4
	if got := p.roomNow(); got != 750 {
		t.Errorf("room of all %d where three quarters are kept free", got)
	}
}

// TestRoomIsSeenLate: the room is measured as usage is, and with it.
func TestRoomIsSeenLate(t *testing.T) {
	s := Honest()
	s.Demand, s.Replicas, s.Window, s.Resolution, s.MetricDelay = demandOf(t, time.Hour, 1000, 1000), 2, 0, 0, 20*second
	p := NewPlant(s)
	var was []scale.Amount
	for at := 0; at < 300; at += 5 {
		p.advance(monday.Add(time.Duration(at) * second))
		was = append(was, p.roomNow())
		seen := p.Observe(nil).Room
		if i := len(was) - 5; i >= 0 && (seen.Share != was[i] || !seen.At.Equal(p.now.Add(-20*second))) {
			t.Fatalf("after %d s: %+v, was %d", at, seen, was[i])
		}
	}
	s.Tenants = Tenants{}
	if seen := NewPlant(s).Observe(nil).Room; seen != nil {
		t.Errorf("without tenants: %+v", seen)
	}
}

// TestAgeOfSamples: who looks each 15 seconds sees the mean of 15 seconds, 20
// seconds old; who looks each 5 seconds sees each sample three times.
func TestAgeOfSamples(t *testing.T) {
	s := Honest()
	s.Demand, s.Replicas = demandOf(t, time.Hour, 1000, 1000), 2
	p := NewPlant(s)
	p.advance(monday.Add(time.Minute))
	for i, want := range []time.Duration{20, 25, 15, 20, 25, 15} {
		t.Run(fmt.Sprintf("look %d", i), func(t *testing.T) {
			if got := p.now.Sub(p.Observe(nil).Pods[0].UsageAt); got != want*second {
				t.Errorf("look %d: %s old, want %d s", i, got, want)
			}
			p.advance(p.now.Add(5 * second))
		})
	}
}
