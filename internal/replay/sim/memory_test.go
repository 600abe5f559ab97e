package sim

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// leaking is one pod of one core under a demand of one core. It uses 100 bytes
// at rest, 50 for its work, and one more each second.
func leaking(t testing.TB) Settings {
	s := stepDemand(t)
	s.Demand, s.Replicas = demandOf(t, 85*second, 1000, 1000), 1
	s.Requests = s.Requests.With(scale.Memory, 200*scale.Thousand)
	s.Memory = MemoryUse{Base: 100 * scale.Thousand, PerCore: 50 * scale.Thousand, Leak: 3600 * scale.Thousand}
	return s
}

// TestLeakKills is worked out by hand. The limit of 200 bytes is reached after
// 50 s. The pod waits 10 s, takes 30 s to start, and is killed again 50 s after
// its start, at 110 s; then it waits 20 s and is ready at 160 s. Nothing is
// served for 40 s and 50 s.
func TestLeakKills(t *testing.T) {
	got := Run(leaking(t), Static(1), nil)
	if got.OutOfMemory != 2 || got.Restarts != 2 || got.Unserved != coreSeconds(90) || got.Starved != 90*second || got.LongestStarved != 50*second {
		t.Errorf("%+v", got)
	}
}

// TestLimitAboveRequest: with 300 bytes to use, the leak takes 150 s.
func TestLimitAboveRequest(t *testing.T) {
	s := leaking(t)
	s.Limits = s.Limits.With(scale.Memory, 300*scale.Thousand)
	var killed time.Duration
	p := NewPlant(s)
	for at := time.Duration(0); at <= 160*second; at += second {
		p.advance(monday.Add(at))
		if killed == 0 && p.score.OutOfMemory > 0 {
			killed = at
		}
	}
	if killed != 150*second {
		t.Errorf("killed after %s", killed)
	}
}

// TestMemoryIsSeen: 30 s ago a pod used 150 bytes and what had leaked until
// then, and once it is killed the controller is told when.
func TestMemoryIsSeen(t *testing.T) {
	p := NewPlant(leaking(t))
	p.advance(monday.Add(45 * second))
	seen := p.Observe(nil).Pods[0]
	if used, ok := seen.Containers[0].Usage.Get(scale.Memory); !ok || used != 165*scale.Thousand || !seen.OutOfMemoryAt.IsZero() {
		t.Errorf("used %s, killed at %s", used, seen.OutOfMemoryAt)
	}
	p.advance(monday.Add(60 * second))
	if seen = p.Observe(nil).Pods[0]; !seen.OutOfMemoryAt.Equal(monday.Add(50*second)) || seen.Ready != scale.NotReady ||
		!seen.ReadyChangedAt.Equal(monday.Add(50*second)) {
		t.Errorf("%+v", seen)
	}
}

// TestKillsSpread: 0.8 cores each fit into memory. Once a step makes it 1.0,
// the first is killed at once, and so is the second, which now has to do more.
func TestKillsSpread(t *testing.T) {
	s := leaking(t)
	s.Memory.Leak, s.Memory.PerCore, s.Replicas = 0, 100*scale.Thousand, 2
	s.Demand = demandOf(t, 60*second, 1600, 2000)
	got := Run(s, Static(2), nil)
	// Both are back at 100 s, are killed again at once, and wait 20 s then.
	if got.OutOfMemory != 4 || got.Unserved != coreSeconds(2*60) {
		t.Errorf("%+v", got)
	}
}
