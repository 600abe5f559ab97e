package history

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// BenchmarkObserve is one look at the ready replicas.
func BenchmarkObserve(b *testing.B) {
	s := slotsOf(b, func(x *Settings) { x.Zone = zone(b, "Europe/Berlin") })
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Observe(monday.Add(time.Duration(i%161280)*15*time.Second), int32(i%50+1))
	}
}

// BenchmarkFourWeeks is four weeks of looks, one every 15 seconds.
func BenchmarkFourWeeks(b *testing.B) {
	s := slotsOf(b, func(x *Settings) { x.Zone = zone(b, "Europe/Berlin") })
	b.ReportAllocs()
	for b.Loop() {
		for i := range 161280 {
			s.Observe(monday.Add(time.Duration(i)*15*time.Second), int32(i%50+1))
		}
	}
}

func BenchmarkBoundsAhead(b *testing.B) {
	h := richHistory(b)
	at := monday.Add(4 * week)
	b.ReportAllocs()
	for b.Loop() {
		h.Slots.BoundsAhead(at, 15*time.Minute, DefaultFactors())
	}
}

func BenchmarkPhase(b *testing.B) {
	h := richHistory(b)
	b.ReportAllocs()
	for b.Loop() {
		h.Slots.Phase(monday.Add(4 * week))
	}
}

func BenchmarkUsageObserve(b *testing.B) {
	u := NewUsage()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		u.Observe(monday.Add(time.Duration(i%40320)*time.Minute), "app", scale.CPU, scale.Amount(i%3000))
	}
}

func BenchmarkGrowthObserve(b *testing.B) {
	g := NewGrowth()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		g.Observe(monday.Add(time.Duration(i)*15*time.Second), scale.Amount(10_000+i%977), 75*time.Second)
	}
}

func BenchmarkOutlook(b *testing.B) {
	h := richHistory(b)
	b.ReportAllocs()
	for b.Loop() {
		h.Growth.Outlook(20_000, permille, time.Minute)
	}
}

func BenchmarkEncode(b *testing.B) {
	h := richHistory(b)
	b.ReportAllocs()
	for b.Loop() {
		h.Encode()
	}
}

func BenchmarkDecode(b *testing.B) {
	h := richHistory(b)
	data := h.Encode()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(data, h.Slots.Settings()); err != nil {
			b.Fatal(err)
		}
	}
}

// TestObserveDoesNotAllocate keeps a fleet's looks off the heap.
func TestObserveDoesNotAllocate(t *testing.T) {
	s := slotsOf(t, nil)
	g := NewGrowth()
	g.Observe(monday, 1000, time.Minute)
	i := 1
	allocated := testing.AllocsPerRun(1000, func() {
		at := monday.Add(time.Duration(i) * 15 * time.Second)
		s.Observe(at, 5)
		g.Observe(at, scale.Amount(1000+i), time.Minute)
		i++
	})
	if allocated != 0 {
		t.Errorf("an observation allocates %v times", allocated)
	}
}
