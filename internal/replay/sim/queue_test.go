package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// coreSecondsSquared is so many core-seconds that waited for a second.
func coreSecondsSquared(n int64) Work {
	return Work{}.Plus(scale.Amount(n)*scale.Thousand*scale.Amount(second), second)
}

// TestQueue is worked out by hand. Two cores meet a demand of 1, 4 and 1, a
// minute each. In the second minute two cores are missing: 120 core-seconds
// wait, if they may, and one core is left in the third minute to do them.
func TestQueue(t *testing.T) {
	for name, c := range map[string]struct {
		queue                            scale.Amount
		served, unserved, longest, areas int64
		starved                          time.Duration
	}{
		"none":        {0, 60 + 120 + 60, 120, 0, 0, time.Minute},
		"large":       {200_000, 60 + 120 + 120, 60, 120, 60*60 + 90*60, 0},
		"half":        {60_000, 60 + 120 + 120, 60, 60, 30*30 + 60*30 + 30*60, 30 * second},
		"just enough": {120_000, 60 + 120 + 120, 60, 120, 60*60 + 90*60, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := stepDemand(t)
			s.Demand, s.Queue = demandOf(t, time.Minute, 1000, 4000, 1000), c.queue
			got := Run(s, scripted{}, nil)
			if got.Served != coreSeconds(c.served) || got.Unserved != coreSeconds(c.unserved) || got.Starved != c.starved {
				t.Errorf("%s: served %+v, unserved %+v, starved for %s", name, got.Served, got.Unserved, got.Starved)
			}
			if got.LongestQueue != coreSeconds(c.longest) || got.Waited != coreSecondsSquared(c.areas) {
				t.Errorf("%s: the longest queue was %+v, waited %+v, want %+v", name, got.LongestQueue, got.Waited, coreSecondsSquared(c.areas))
			}
		})
	}
}

// TestQueueKeepsPodsBusy: while work waits, pods are full; the demand alone
// would not fill them. Three cores do in 30 s what is left of 30 core-seconds
// when two arrive.
func TestQueueKeepsPodsBusy(t *testing.T) {
	s := stepDemand(t)
	s.Demand, s.Queue, s.MetricDelay, s.Replicas = demandOf(t, 30*second, 4000, 2000, 2000), 100_000, 0, 3
	p := NewPlant(s)
	for _, c := range []struct {
		at   time.Duration
		want scale.Amount
	}{{15 * second, 1000}, {45 * second, 1000}, {59 * second, 1000}, {60 * second, 666}, {75 * second, 666}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			p.advance(monday.Add(c.at))
			if got, _ := p.Observe(nil).Pods[0].Containers[0].Usage.Get(scale.CPU); got != c.want {
				t.Errorf("at %s a pod uses %d, want %d", c.at, got, c.want)
			}
		})
	}
}
