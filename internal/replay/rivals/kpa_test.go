package rivals

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// TestKPA: figures worked out by hand from the public code of Knative's autoscaler.
// The target is 70 percent of a core, and each row is a moment with the work of the
// last minute and of the last six seconds.
func TestKPA(t *testing.T) {
	k := &kpa{target: 700, own: true}
	v := &fake{now: monday, size: sizeOf(4, 1000), ready: 4}
	for _, c := range []struct {
		name           string
		at             time.Duration
		ready          int32
		stable, urgent scale.Amount
		want           int32
	}{
		// It begins in panic with four pods, and does not go below them.
		{"a restart keeps what there is", 0, 4, 1000, 1000, 4},
		{"still within a minute of that", time.Minute, 4, 1000, 1000, 4},
		// ceil(1.0/0.7) = 2, which is also the half of four.
		{"then the mean of the minute counts", 62 * time.Second, 4, 1000, 1000, 2},
		// ceil(2.1/0.7) = 3 exactly.
		{"rounded up", 70 * time.Second, 2, 2100, 2100, 3},
		// ceil(2.0/0.7) = 3 is less than twice the two that are ready.
		{"a burst of less than twice the pods is not panic", 72 * time.Second, 2, 700, 2000, 1},
		// ceil(2.8/0.7) = 4 is twice the two that are ready.
		{"one of twice the pods is", 74 * time.Second, 2, 700, 2800, 4},
		{"in panic nothing goes down", 80 * time.Second, 4, 700, 700, 4},
		{"and the larger window may still ask for more", 82 * time.Second, 4, 3600, 700, 6},
		// ceil(11.9/0.7) = 17 is above twice six: the minute begins again.
		{"panic again", 100 * time.Second, 6, 3600, 11900, 17},
		{"a minute later it still holds", 160 * time.Second, 17, 700, 700, 17},
		// floor(17/2) = 8 is as far down as one decision goes.
		{"afterward by half at most", 162 * time.Second, 17, 700, 700, 8},
		// Without a ready pod it counts one, and a thousand is the most at once.
		{"a thousandfold at most", 300 * time.Second, 0, 900_000, 900_000, 1000},
		{"panic holds those too", 340 * time.Second, 0, 0, 0, 1000},
		{"and then never none", 400 * time.Second, 0, 0, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			v.now, v.ready = monday.Add(c.at), c.ready
			v.over = func(from, until time.Time) sim.Usage {
				if !until.Equal(v.now.Add(-time.Second)) {
					t.Fatalf("it looks at %s", until)
				}
				if until.Sub(from) == 6*time.Second {
					return sim.Usage{Arrived: c.urgent}
				}
				return sim.Usage{Arrived: c.stable}
			}
			d := k.decide(v)
			if d.Want.Replicas != c.want {
				t.Errorf("%d pods, want %d", d.Want.Replicas, c.want)
			}
			if d.Want.Containers[0] != v.size.Containers[0] {
				t.Error("it resizes pods")
			}
		})
	}
}

// TestKPAWithSharedMetrics: the stable window is the mean of the samples of a
// minute, the panic window is the newest one. By hand: after 4 samples of 0.7, 0.7,
// 1.4 and 4.2 cores the mean is 1.75, so three pods, and the newest asks for six,
// which is twice three.
func TestKPAWithSharedMetrics(t *testing.T) {
	k := &kpa{target: 700}
	v := &fake{now: monday, size: sizeOf(1, 1000), ready: 1}
	for i, c := range []struct {
		served scale.Amount
		ready  int32
		lost   bool
		want   int32
	}{
		{700, 1, false, 1}, {700, 1, false, 1}, {1400, 2, false, 2}, {4200, 4, false, 3},
		// The first sample is a minute old now: (0.7+1.4+4.2+4.2)/4 = 2.625.
		{4200, 4, false, 4},
		{4200, 3, true, 6},
		{4200, 3, false, 6},
	} {
		t.Run(fmt.Sprintf("sample %d", i), func(t *testing.T) {
			v.now, v.ready, v.lost = monday.Add(time.Duration(i)*15*time.Second), c.ready, c.lost
			v.metered = sim.Usage{At: v.now.Add(-30 * time.Second), Served: c.served, Arrived: 99_000}
			if got := k.decide(v).Want.Replicas; got != c.want {
				t.Errorf("%d pods, want %d", got, c.want)
			}
		})
	}
}
