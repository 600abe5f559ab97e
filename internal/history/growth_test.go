package history

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
	"pgregory.net/rapid"
)

const permille = scale.Parts / 1000

// feed observes usages in even steps from monday on.
func feed(g *Growth, step, reaction time.Duration, usages ...scale.Amount) {
	from := monday
	if g.last != 0 {
		from = time.UnixMilli(g.last).Add(step)
	}
	for i, usage := range usages {
		g.Observe(from.Add(time.Duration(i)*step), usage, reaction)
	}
}

func TestGrowthIsMeasuredOverTheReaction(t *testing.T) {
	g := NewGrowth()
	// A reaction of 60 s at steps of 15 s: the first 4000 grows to 4200.
	feed(g, 15*time.Second, time.Minute, 4000, 4100, 4200, 4000, 3900, 9000)
	want := sketch{tick: monday.UnixMilli() / tickMillis}
	want.raise(bucketOf(growthOf(4000, 4000, 4200)), oneReaction/momentsPerReaction)
	want.raise(bucketOf(growthOf(4100, 4100, 9000)), oneReaction/4)
	if !reflect.DeepEqual(g.sketches[0], want) {
		t.Errorf("the sketch holds %d reactions", g.Reactions())
	}
}

func TestHeadroomWaitsForEvidence(t *testing.T) {
	g := NewGrowth()
	// One reaction a minute: usage rises from 10 to 12 every tenth minute.
	for i := range 2000 {
		usage := scale.Amount(10_000)
		if i%10 == 9 {
			usage = 12_000
		}
		feed(g, time.Minute, time.Minute, usage)
		if _, known := g.room(0, 10_000, permille); known != (g.Reactions() >= ReactionsNeeded(permille)) {
			t.Fatalf("after %d reactions: %v", g.Reactions(), known)
		}
	}
	// 2 in addition to 10 is exceeded rarely, a fifth of the time is not rare.
	if got, _ := g.room(0, 10_000, permille); got < 2000 || got > 2000*17/16+20 {
		t.Errorf("headroom of 10 is %s", got)
	}
	if got, _ := g.room(0, 40_000, permille); got < 4000 || got > 4000*17/16+40 {
		t.Errorf("headroom of 40 is %s", got)
	}
	if got, _ := g.room(0, 10_000, scale.Parts/5); got != 0 {
		t.Errorf("headroom for a large risk is %s", got)
	}
	if one, _ := g.room(0, scale.Thousand, permille); one < 632 || one > 675 {
		t.Errorf("a usage of one grows by %s", one)
	}
	for _, c := range []struct {
		usage scale.Amount
		risk  int64
	}{{0, permille}, {-1, permille}, {10, 0}, {10, -1}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			if got, known := g.room(0, c.usage, c.risk); known {
				t.Errorf("headroom of %v is %s", c, got)
			}
		})
	}
	for risk, want := range map[int64]int64{permille: 999, scale.Parts: 0, scale.Parts / 3: 3, 0: scale.Parts - 1} {
		t.Run(fmt.Sprint(risk), func(t *testing.T) {
			if got := ReactionsNeeded(risk); got != want {
				t.Errorf("risk %d needs %d reactions, want %d", risk, got, want)
			}
		})
	}
}

// TestTheRiskIsKept draws growths at random and counts how often the headroom
// was too small, at every moment from the first at which there is one.
func TestTheRiskIsKept(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for _, risk := range []int64{10 * permille, 50 * permille} {
		g := NewGrowth()
		tries, exceeded := 0, 0
		for range 30_000 {
			const usage = 50_000
			peak := usage + scale.Amount(math.Exp(5+1.5*dice.NormFloat64()))
			if room, known := g.room(0, usage, risk); known {
				tries++
				if peak > usage+room {
					exceeded++
				}
			}
			g.sketches[0].add(monday.UnixMilli(), growthOf(usage, usage, peak), oneReaction)
		}
		if share := int64(exceeded) * scale.Parts / int64(tries); share > risk*115/100 || share < risk/2 {
			t.Errorf("risk %d: exceeded %d of %d times", risk, exceeded, tries)
		}
	}
}

func TestGapsAndDisorderTeachNothing(t *testing.T) {
	g := NewGrowth()
	feed(g, 15*time.Second, time.Minute, 1000, 1000)
	g.Observe(monday.Add(5*time.Minute), 9000, time.Minute)
	if g.Reactions() != 0 || g.sketches[0].sum != 0 || len(g.pending) != 1 {
		t.Errorf("a gap taught %d, pending %d", g.sketches[0].sum, len(g.pending))
	}
	for name, of := range map[string]bool{
		"the same time": g.Observe(monday.Add(5*time.Minute), 1, time.Minute),
		"an older time": g.Observe(monday, 1, time.Minute),
		"a negative":    g.Observe(monday.Add(6*time.Minute), -1, time.Minute),
		"no time":       g.Observe(time.Time{}, 1, time.Minute),
	} {
		t.Run(name, func(t *testing.T) {
			if of {
				t.Errorf("%s was of use", name)
			}
		})
	}
	idle := NewGrowth()
	feed(idle, 15*time.Second, time.Minute, 0, 0, 0, 0, 0, 0, 5000)
	if idle.sketches[0].sum != 0 || len(idle.pending) != 1 {
		t.Error("usage of nothing was followed")
	}
}

func TestReactionsOfAnyLengthAreBounded(t *testing.T) {
	g := NewGrowth()
	for i := range 20_000 {
		reaction := []time.Duration{0, time.Second, time.Hour, 1000 * time.Hour, time.Minute}[i/100%5]
		g.Observe(monday.Add(time.Duration(i)*time.Second), scale.Amount(1+i%7), reaction)
		if len(g.pending) > maxPending {
			t.Fatalf("%d moments are pending", len(g.pending))
		}
	}
}

func TestWeightsHalve(t *testing.T) {
	g := NewGrowth()
	for range 1000 {
		g.sketches[0].add(monday.UnixMilli(), 100, oneReaction)
	}
	for i, want := range []int64{1000, 500, 250, 125} {
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			g.sketches[0].advance(monday.Add(time.Duration(i)*GrowthHalfLife).UnixMilli() / tickMillis)
			if got := g.Reactions(); got < want-1 || got > want {
				t.Errorf("after %d half-lives %d reactions are left, want %d", i, got, want)
			}
		})
	}
	var s sketch
	for i := range ticksPerHalfLife {
		if want := uint64(math.Round(65536 * math.Exp2(-float64(i)/ticksPerHalfLife))); decayed[i] != want {
			t.Errorf("2^(-%d/16) is %d, want %d", i, decayed[i], want)
		}
	}
	s.add(0, 5, maxBucketWeight)
	s.add(0, 5, maxBucketWeight)
	s.advance(1 << 40)
	if s.sum != 0 {
		t.Error("something is left forever")
	}
}

func TestBuckets(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		n := rapid.Uint64().Draw(t, "n") >> rapid.IntRange(0, 63).Draw(t, "shift")
		b := bucketOf(n)
		if b < 0 || b >= bucketCount {
			t.Fatalf("%d is in bucket %d", n, b)
		}
		end := bucketEnd(b)
		if n < 1<<(lastPower+1) && (end < n || end > n+n/16 || bucketOf(end) != b || bucketOf(end+1) != min(b+1, bucketCount-1)) {
			t.Fatalf("%d is in bucket %d, which ends at %d", n, b, end)
		}
	})
}

func TestSquareRoots(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		n := rapid.Uint64().Draw(t, "n") >> rapid.IntRange(0, 63).Draw(t, "shift")
		if got, want := squareRoot(n), new(big.Int).Sqrt(new(big.Int).SetUint64(n)).Uint64(); got != want {
			t.Fatalf("root of %d is %d, want %d", n, got, want)
		}
		m := int64(n >> 1)
		got, want := float64(root(m)), math.Sqrt(float64(m))*256
		if math.Abs(got-want) > 1+want/1e6 {
			t.Fatalf("root of %d is %v, want %v", m, got, want)
		}
	})
}
