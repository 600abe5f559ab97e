package wait

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

const ms = time.Millisecond

// TestDecay against the library's.
func TestDecay(t *testing.T) {
	for x := int64(0); x < 25*parts; x += parts/97 + x/50 {
		if got, want := decay(x), math.Exp(-float64(x)/parts)*parts; math.Abs(float64(got)-want) > 4 {
			t.Errorf("decay(%d) is %d, want %.1f", x, got, want)
		}
	}
	if decay(-1) != parts || decay(math.MaxInt64) != 0 {
		t.Error("the ends")
	}
}

// simulated lets requests arrive at random at a pod and counts those that wait
// longer than a time, the mean wait, and those that are turned away.
func simulated(m Model, busy, cores float64, late time.Duration) (lost, longer, mean float64) {
	const n = 4_000_000
	dice := rand.New(rand.NewPCG(1, 2))
	service := m.Service.Seconds() / cores
	work, taken, over, sum, most := 0.0, 0, 0, 0.0, m.Most.Seconds()
	for range n {
		work = max(work-dice.ExpFloat64()*service/busy, 0)
		if work > most {
			continue
		}
		taken++
		sum += work
		if work > late.Seconds() {
			over++
		}
		if m.Fixed {
			work += service
		} else {
			work += dice.ExpFloat64() * service
		}
	}
	return 1 - float64(taken)/n, float64(over) / float64(taken), sum / float64(taken)
}

// TestAgainstSimulation: what is lost, what is late and the mean wait are within
// 5 % of a queue whose every request is simulated, below, at and beyond full
// utilization, for requests of random and of fixed length.
func TestAgainstSimulation(t *testing.T) {
	const late = 250 * ms
	for _, fixed := range []bool{false, true} {
		for _, busy := range []float64{0.5, 0.8, 0.9, 0.95, 1, 1.05, 1.5} {
			t.Run(fmt.Sprintf("fixed %v, %.0f %%", fixed, 100*busy), func(t *testing.T) {
				for _, cores := range []float64{0.5, 1} {
					m := Model{Service: 10 * ms, Fixed: fixed, Most: time.Second}
					line := m.LineAt(m.LoadOf(scale.Amount(busy*1000*cores), scale.Amount(1000*cores), scale.Amount(1000*cores)))
					lost, longer, mean := simulated(m, busy, cores, late)
					got := 0.0
					for at := time.Duration(0); at < m.Most; at += ms {
						got += float64(line.Longer(at)+line.Longer(at+ms)) / 2 / parts * ms.Seconds()
					}
					for _, c := range []struct {
						what      string
						got, want float64
						// few is how much of it is too little to be counted.
						few float64
					}{
						{"lost", float64(line.Lost()) / parts, lost, 2e-4}, {"late", float64(line.Longer(late)) / parts, longer, 2e-4}, {"mean wait", got, mean, 5e-4},
					} {
						if math.Abs(c.got-c.want) > 0.05*c.want+c.few {
							t.Errorf("fixed %v, %.0f %% of %.1f cores: %s %.6f, simulated %.6f", fixed, 100*busy, cores, c.what, c.got, c.want)
						}
					}
				}
			})
		}
	}
}

// TestTextbook: with a bound that is far away, M/M/1 says ρ·exp(−(1−ρ)µt), and
// the mean wait of M/D/1 is half of that of M/M/1, ρ/(2µ(1−ρ)), by Pollaczek and
// Khinchine.
func TestTextbook(t *testing.T) {
	m := Model{Service: 10 * ms, Most: time.Minute}
	for _, busy := range []float64{0.3, 0.7, 0.9, 0.95} {
		t.Run(fmt.Sprintf("%.0f %%", 100*busy), func(t *testing.T) {
			line := m.LineAt(m.LoadOf(scale.Amount(busy*1000), 1000, 1000))
			want := busy * math.Exp(-(1-busy)*25)
			if got := float64(line.Longer(250*ms)) / parts; math.Abs(got-want) > 1e-6 {
				t.Errorf("%.2f busy: late %.9f, want %.9f", busy, got, want)
			}
			if got := line.Longer(0); math.Abs(float64(got)/parts-busy) > 1e-6 {
				t.Errorf("%.2f busy: %d wait at all", busy, got)
			}
			if line.Lost() != 0 {
				t.Errorf("%.2f busy: lost %d", busy, line.Lost())
			}
		})
	}
	m.Fixed = true
	line, mean := m.LineAt(m.LoadOf(900, 1000, 1000)), 0.0
	for at := time.Duration(0); at < 10*time.Second; at += ms {
		mean += float64(line.Longer(at)) / parts * ms.Seconds()
	}
	if want := 0.9 / (2 * 100 * 0.1); math.Abs(mean-want) > 0.02*want {
		t.Errorf("M/D/1 waits %.5f s, want %.5f", mean, want)
	}
}

// TestMoreWorkWaitsLonger: neither what is lost nor what is late falls anywhere
// when more work comes, and no load is out of range.
func TestMoreWorkWaitsLonger(t *testing.T) {
	for _, fixed := range []bool{false, true} {
		m := Model{Service: 10 * ms, Fixed: fixed, Most: time.Second}
		lost, late := int64(0), int64(0)
		for work := range scale.Amount(3000) {
			line := m.LineAt(m.LoadOf(work, 1000, 1000))
			if a, b := line.Lost(), line.Longer(250*ms); a < lost-5 || b < late-5 || a > parts || b > parts {
				t.Fatalf("fixed %v, load %d: lost %d after %d, late %d after %d", fixed, work, a, lost, b, late)
			} else {
				lost, late = a, b
			}
		}
		const most = scale.MaxAmount
		for _, l := range []Load{m.LoadOf(most, 1, 1), m.LoadOf(5, 0, 0), m.LoadOf(0, 0, 0), m.LoadOf(1, most, most), m.LoadOf(most, most, most)} {
			t.Run(fmt.Sprintf("fixed %v, %+v", fixed, l), func(t *testing.T) {
				line := m.LineAt(l)
				if a, b := line.Lost(), line.Longer(250*ms); a < 0 || a > parts || b < 0 || b > parts {
					t.Errorf("%+v: lost %d, late %d", l, a, b)
				}
			})
		}
	}
}

func BenchmarkLine(b *testing.B) {
	m := Model{Service: 10 * ms, Most: time.Second}
	for b.Loop() {
		line := m.LineAt(m.LoadOf(900, 1000, 1000))
		if line.Lost()+line.Longer(250*ms) == 0 {
			b.Fatal("nothing")
		}
	}
}
