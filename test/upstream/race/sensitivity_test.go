package race

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

var sensitivity = flag.String("sensitivity", "",
	"file to write the table of sensitivities to: what is gained on recorded demand while one thing at a time is another; without it nothing is run")

// row is a plant in which one thing is another.
type row struct {
	name   string
	change func(*replay.Plant)
	// resizes is set where at most resizes are different, of which an HPA has none: the
	// best of them is the same.
	resizes bool
	// oneSize is set where pods are not resized at all.
	oneSize bool
}

// nodesOf are nodes of a size, half of which is requested by others, and enough of
// them for any demand.
func nodesOf(cores scale.Amount) func(*replay.Plant) {
	return func(p *replay.Plant) {
		p.Nodes = sim.Nodes{Count: int32(8000 / cores), CPU: cores * scale.Thousand, Taken: scale.Parts / 2}
	}
}

// rows are those of the table. The first is the honest plant as it is.
var rows = []row{
	{name: "as it is", change: func(*replay.Plant) {}, resizes: true},
	{name: "resize 0 s", change: resizeAfter(0), resizes: true},
	{name: "resize 10 s", change: resizeAfter(10 * time.Second), resizes: true},
	{name: "resize 30 s", change: resizeAfter(30 * time.Second), resizes: true},
	{name: "resize 60 s", change: resizeAfter(time.Minute), resizes: true},
	{name: "10 % of resizes deferred", change: func(p *replay.Plant) { p.Resize.Deferred = scale.Parts / 10 }, resizes: true},
	{name: "30 % of resizes deferred", change: func(p *replay.Plant) { p.Resize.Deferred = scale.Parts * 3 / 10 }, resizes: true},
	{name: "10 % of resizes infeasible", change: func(p *replay.Plant) { p.Resize.Infeasible = scale.Parts / 10 }, resizes: true},
	{name: "99 % of resizes infeasible", change: func(p *replay.Plant) { p.Resize.Infeasible = scale.Parts * 99 / 100 }, resizes: true},
	{name: "resize by restart", change: func(p *replay.Plant) { p.Resize.Update = plan.Recreate }, resizes: true},
	{name: "no resize at all", change: func(*replay.Plant) {}, resizes: true, oneSize: true},
	{name: "nodes of 8 cores", change: nodesOf(8)},
	{name: "nodes of 16 cores", change: nodesOf(16)},
	{name: "ceiling of 1 core", change: func(p *replay.Plant) { p.Ceiling = scale.Thousand }},
	{name: "ceiling of 2 cores", change: func(p *replay.Plant) { p.Ceiling = 2 * scale.Thousand }},
	{name: "start-up 60 s", change: startUp(time.Minute)},
	{name: "start-up 120 s", change: startUp(2 * time.Minute)},
	{name: "start-up 300 s", change: startUp(5 * time.Minute)},
	{name: "start-up 120 s, no resize at all", change: startUp(2 * time.Minute), oneSize: true},
	{name: "start-up 300 s, no resize at all", change: startUp(5 * time.Minute), oneSize: true},
	{name: "window 30 s", change: func(p *replay.Plant) { p.Window = 30 * time.Second }},
	{name: "window 60 s", change: func(p *replay.Plant) { p.Window = time.Minute }},
	{name: "tenants use 50 %", change: func(p *replay.Plant) { p.Tenants.Use = scale.Parts / 2 }},
	{name: "tenants use 90 %", change: func(p *replay.Plant) { p.Tenants.Use = scale.Parts * 9 / 10 }},
	{name: "no burst", change: func(p *replay.Plant) { p.Limits = p.Limits.With(scale.CPU, scale.Thousand) }},
}

func resizeAfter(d time.Duration) func(*replay.Plant) {
	return func(p *replay.Plant) { p.Resize.Delay = d }
}

func startUp(d time.Duration) func(*replay.Plant) {
	return func(p *replay.Plant) { p.StartUp = d }
}

// plant is the honest plant with what is different in a row.
func (r row) plant() replay.Plant {
	p := replay.Honest()
	r.change(&p)
	return p
}

// measuredOn are the recordings that are measured on: with lines between samples
// where they are coarse.
func measuredOn(all []Demand) []Demand {
	return slices.DeleteFunc(all, func(d Demand) bool {
		return slices.ContainsFunc(all, func(o Demand) bool { return o.Name == d.Name+", lines" })
	})
}

// contestant is who runs in a row.
func (r row) contestant(t *testing.T) Contestant {
	name := RecommendedName
	if r.oneSize {
		name = oneSizeName
	}
	all, err := Contestants(nil)
	if err != nil {
		t.Fatal(err)
	}
	return all[slices.IndexFunc(all, func(c Contestant) bool { return c.Name == name })]
}

// gains are what the recommended policy gains in a row, and an HPA of 90 %. Ends
// is how often the best HPA was at an end of the search.
type gains struct {
	ours, hpa []float64
	ends      int
}

// run measures a row. Base are the demands in the plant as it is.
func (r row) run(t *testing.T, base []Demand) (out gains) {
	demands := recorded(t, r.plant)
	for i, d := range demands {
		against := d
		if r.resizes {
			against = base[i]
		}
		score, err := r.contestant(t).Run(d)
		if err != nil {
			t.Fatal(err)
		}
		ours, best, err := against.Replay.Gain(score)
		if err != nil {
			t.Fatal(err)
		}
		hpa, _, err := against.Replay.Gain(runOurs(t, d, 90))
		if err != nil {
			t.Fatal(err)
		}
		out.ours, out.hpa = append(out.ours, 100*ours), append(out.hpa, 100*hpa)
		if best.AtEnd {
			out.ends++
		}
	}
	return out
}

// recorded are the recordings that are measured on, in a plant.
func recorded(t *testing.T, in Plant) []Demand {
	all, err := in.Recorded(*traces, *piece)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatalf("-traces %q holds no recording to measure on", *traces)
	}
	return measuredOn(all)
}

// TestSensitivity writes the table of sensitivities, a row for each subtest.
func TestSensitivity(t *testing.T) {
	if *sensitivity == "" {
		t.Skip("it takes minutes, and is run by make bench-race: -sensitivity names the file to write")
	}
	out, err := os.Create(*sensitivity)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	base := recorded(t, replay.Honest)
	names := make([]string, len(base))
	for i, d := range base {
		names[i] = d.Name
	}
	fmt.Fprintf(out, "\n| G, in percent | median | worst | %s | hpa:90: median | worst | best HPA at an end |\n|---|--:|--:|%s--:|--:|--:|\n",
		strings.Join(names, " | "), strings.Repeat("--:|", len(names)))
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			g, each := r.run(t, base), ""
			for _, ours := range g.ours {
				each += fmt.Sprintf(" %.0f |", ours)
			}
			if _, err := fmt.Fprintf(out, "| %s | %.0f | %.0f |%s %.0f | %.0f | %d |\n",
				r.name, median(g.ours), slices.Min(g.ours), each, median(g.hpa), slices.Min(g.hpa), g.ends); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// median is the middle one, or the mean of the two in the middle.
func median(all []float64) float64 {
	if len(all) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(all))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// TestRows: every row is a plant that can be, and another; where only resizes are
// different, an HPA does not notice.
func TestRows(t *testing.T) {
	var base sim.Score
	for i, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			demands, err := Plant(r.plant).Generated(2*time.Hour, 1)
			if err != nil {
				t.Fatal(err)
			}
			d := demands[0]
			hpa := runOurs(t, d, 70)
			if i == 0 {
				base = hpa
			}
			if r.resizes != (hpa == base) && !strings.HasPrefix(r.name, "ceiling of 2") {
				t.Errorf("only resizes differ: %v, but an HPA scores %+v, and %+v as it is", r.resizes, hpa, base)
			}
			if score, err := r.contestant(t).Run(d); err != nil || score.Decisions == 0 {
				t.Errorf("%+v, %v", score, err)
			}
		})
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{5, -1, 3}); got != 3 {
		t.Errorf("of three: %v", got)
	}
	if got := median([]float64{5, -1, 3, 4}); got != 3.5 {
		t.Errorf("of four: %v", got)
	}
}
