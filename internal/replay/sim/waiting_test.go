package sim

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay/wait"
	"github.com/tidemark/tidemark/scale"
)

// steady is a plant of some pods of a core, without neighbors, under an hour of one
// demand.
func steady(t *testing.T, pods int32, demand scale.Amount) Settings {
	s := Ideal()
	s.Demand, s.Replicas = demandOf(t, 30*time.Minute, demand, demand), pods
	return s
}

// tenth is the unevenness at which the outer thirds are 10 % off.
const tenth = 81_649_659

// TestThirds is worked out by hand. Six pods of a core have six cores to do: two of
// them 1.8, two 2 and two 2.2, of which 0.2 are dropped although all together
// could do it. One pod alone has all there is, and of two one has more.
func TestThirds(t *testing.T) {
	s := steady(t, 6, 6000)
	s.Uneven = tenth
	got := Run(s, Static(6), nil)
	if want := (Work{}).Plus(200, time.Hour); got.Unserved != want || got.Starved != time.Hour {
		t.Errorf("of six pods: %+v, want %+v", got.Unserved, want)
	}
	for pods, want := range map[int32][3]scale.Amount{
		1: {0, 3000, 0}, 2: {1350, 0, 1650}, 3: {900, 1000, 1100}, 4: {675, 1500, 825}, 5: {1080, 600, 1320}, 7: {0, 0, 0},
	} {
		t.Run(fmt.Sprintf("%d pods", pods), func(t *testing.T) {
			s := steady(t, pods, 3000)
			s.Uneven = tenth
			if pods == 7 {
				s.Demand = demandOf(t, time.Minute, 0, 0)
			}
			p := NewPlant(s)
			by := p.workload.serves(p.now)
			thirds := p.thirds(s.Demand.points[0].Value, &by)
			sum := scale.Amount(0)
			for i, want := range want {
				if sum += thirds[i].load; thirds[i].load != want {
					t.Errorf("%d pods, third %d: %+v, want %d", pods, i, thirds[i], want)
				}
			}
			if capacity := thirds[0].capacity + thirds[1].capacity + thirds[2].capacity; sum != s.Demand.points[0].Value || capacity != scale.Amount(pods)*1000 {
				t.Errorf("%d pods: load %d, capacity %d", pods, sum, capacity)
			}
		})
	}
}

// TestUnevenUsageIsSeen: the pods are seen to use what they do.
func TestUnevenUsageIsSeen(t *testing.T) {
	s := steady(t, 3, 1500)
	s.Uneven = tenth
	p := NewPlant(s)
	p.advance(monday.Add(time.Minute))
	for i, want := range []scale.Amount{450, 500, 550} {
		if got, _ := p.Observe(nil).Pods[i].Containers[0].Usage.Get(scale.CPU); got != want {
			t.Errorf("pod %d is seen to use %d, want %d", i, got, want)
		}
	}
}

// TestWaits: a pod at 90 % of a core, with requests of 10 ms. By M/M/1 they wait
// longer than t with 0.9·exp(−10 t/s): 7.4 % longer than 250 ms, half of them
// longer than ln(1.8)/10 = 59 ms, a hundredth longer than ln(90)/10 = 450 ms, and
// 90 ms on average.
func TestWaits(t *testing.T) {
	s := steady(t, 1, 900)
	s.Waiting = Honest().Waiting
	got := Run(s, Static(1), nil)
	demand := float64(got.Demand.Lo)
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"late", float64(got.Late.Lo) / demand, 0.9 * math.Exp(-2.5)},
		{"half", got.Wait50.Seconds(), math.Log(1.8) / 10},
		{"most", got.Wait99.Seconds(), math.Log(90) / 10},
		{"mean", got.WaitMean.Seconds(), 0.09},
	} {
		t.Run(c.what, func(t *testing.T) {
			if math.Abs(c.got-c.want) > 0.05*c.want {
				t.Errorf("%s: %.5f, want %.5f", c.what, c.got, c.want)
			}
		})
	}
	// The queue holds a second: what chance makes longer is dropped.
	if lost := float64(got.Unserved.Lo) / demand; lost == 0 || lost > 1e-5 || got.Starved != 0 {
		t.Errorf("lost %.2e, starved %s", lost, got.Starved)
	}
	// Pods of two cores are faster: 0.9·exp(−5).
	s.Requests = s.Requests.With(scale.CPU, 2000)
	s.Demand = demandOf(t, 30*time.Minute, 1800, 1800)
	if late := float64(Run(s, Static(1), nil).Late.Lo) / demand / 2; math.Abs(late-0.9*math.Exp(-5)) > 1e-4 {
		t.Errorf("late at two cores: %.5f", late)
	}
}

// TestOverloadWaitsAndDrops: a pod with 1.5 of 1 core to do drops a third once its
// queue is full, and all but the first half second waits for nearly as long as it
// may.
func TestOverloadWaitsAndDrops(t *testing.T) {
	s := steady(t, 1, 1500)
	s.Waiting = Honest().Waiting
	got := Run(s, Static(1), nil)
	if lost := float64(got.Unserved.Lo) / float64(got.Demand.Lo); math.Abs(lost-1.0/3) > 0.001 || got.Starved != time.Hour {
		t.Errorf("lost %.4f, starved %s", lost, got.Starved)
	}
	if got.Served.minus(got.Late).ratio(got.Served) > scale.Parts/6000 || got.Wait50 < 950*time.Millisecond {
		t.Errorf("%+v", got)
	}
	if none := Run(s, Static(0), nil); none.Unserved != none.Demand || none.Late != (Work{}) {
		t.Errorf("without pods: %+v", none)
	}
}

// TestBilling is worked out by hand: two pods of a core that may use two. At 3
// cores they are billed for what they use, at one for what they request, and
// whoever keeps a quarter free pays for that.
func TestBilling(t *testing.T) {
	s := steady(t, 2, 0)
	s.Demand, s.Limits = demandOf(t, 30*time.Minute, 3000, 1000), s.Limits.With(scale.CPU, 2000)
	got := Run(s, Static(2), nil)
	if want := (Work{}).Plus(3000, 30*time.Minute).Plus(2000, 30*time.Minute); got.Billed != want || got.Cores != (Work{}).Plus(2000, time.Hour) {
		t.Errorf("billed %+v, want %+v", got.Billed, want)
	}
	// Half of the time 75 % of the limits are used, so that is the percentile.
	if got.Slack != scale.Parts/4 {
		t.Errorf("slack %d", got.Slack)
	}
	s.Tenants, s.Reserve = Tenants{Use: scale.Parts * 6 / 10}, scale.Parts/4
	reserved := Run(s, Static(2), nil)
	if least := (Work{}).Plus(2500, time.Hour); reserved.Billed.less(least) || !got.Billed.less(reserved.Billed) {
		t.Errorf("with a reserve %+v", reserved.Billed)
	}
}

// TestResizesAreCounted: all pods at once, or one at a time.
func TestResizesAreCounted(t *testing.T) {
	for _, delay := range []time.Duration{0, 3 * second} {
		s := steady(t, 4, 2000)
		s.Resize.Delay = delay
		p := NewPlant(s)
		p.apply(sized(4, 1500))
		p.advance(monday.Add(time.Minute))
		p.apply(sized(2, 1500))
		if got := p.finish(); got.PodResizes != 4 || got.PodStops != 2 {
			t.Errorf("delay %s: %d resizes, %d stops", delay, got.PodResizes, got.PodStops)
		}
	}
}

// TestPart against products that fit.
func TestPart(t *testing.T) {
	for _, c := range []struct {
		work Work
		a, b int64
		want Work
	}{
		{Work{0, 1000}, 3, 10, Work{0, 300}}, {Work{0, 7}, 1, 2, Work{0, 3}}, {Work{1, 0}, 1, 2, Work{0, 1 << 63}},
		{Work{3, 5}, 1, 1, Work{3, 5}}, {Work{2, 4}, 1, 2, Work{1, 2}}, {Work{1 << 40, 9}, scale.Parts, scale.Parts, Work{1 << 40, 9}}, {Work{5, 5}, 0, 7, Work{}},
	} {
		t.Run(fmt.Sprintf("%v by %d of %d", c.work, c.a, c.b), func(t *testing.T) {
			if got := c.work.part(c.a, c.b); got != c.want {
				t.Errorf("%v × %d/%d is %v, want %v", c.work, c.a, c.b, got, c.want)
			}
		})
	}
	for _, w := range []Work{{0, 100}, {0, 1 << 40}, {0, 1 << 63}, {1, 1 << 20}, {1 << 50, 0}} {
		t.Run(fmt.Sprint(w), func(t *testing.T) {
			if got := w.part(1, 4).ratio(w); got < scale.Parts/4-2 || got > scale.Parts/4 {
				t.Errorf("a quarter of %v is %d", w, got)
			}
		})
	}
}

// TestHonestWithNothingOn: each part of the honest plant can be turned off, and
// without all of them it is the ideal plant, digit by digit.
func TestHonestWithNothingOn(t *testing.T) {
	s, ideal := Honest(), Ideal()
	s.Tenants.Use, s.Uneven, s.Waiting.Most, s.Resize.Delay = 0, 0, 0, 0
	s.MetricDelay, s.Window, s.Resolution, s.Limits = ideal.MetricDelay, 0, 0, ideal.Limits
	for _, policy := range []func() Controller{
		func() Controller { return autoscaler(t, sixty(), nil) },
		func() Controller { return &fickle{[]scale.Size{sized(4, 1000), sized(3, 1700), sized(9, 600)}} },
	} {
		demand := demandOf(t, time.Minute, 1000, 4000, 9000, 2000, 2000, 500, 7000, 7000)
		s.Demand, ideal.Demand, s.Replicas, ideal.Replicas = demand, demand, 3, 3
		if got, want := Run(s, policy(), nil), Run(ideal, policy(), nil); got != want {
			t.Errorf("got\n%+v, want\n%+v", got, want)
		}
	}
}

// TestRowsOfWaits: what stands for the loads of a row is within a thirtieth of
// each of them.
func TestRowsOfWaits(t *testing.T) {
	for n := int64(1000); n < 1<<52; n += n/7 + 1 {
		var w waits
		w.add(waited{wait.Load{Requests: n, Busy: scale.Parts / 2}, Work{0, 1}})
		for row := range w.rows {
			if w.rows[row] == nil {
				continue
			}
			if got := requestsOf(row); got < n-n/30 || got > n+n/30 {
				t.Fatalf("%d stands for %d", got, n)
			}
		}
	}
}
