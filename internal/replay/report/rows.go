package report

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tidemark/tidemark/internal/replay"
)

// row is a line of the score sheet.
type row struct {
	Name  string
	Cells []cell
}

// Main are the cells that everyone wants to see, More the others.
func (r row) Main() []cell { return r.those(true) }

// More are the cells beside the main ones.
func (r row) More() []cell { return r.those(false) }

func (r row) those(main bool) []cell {
	return slices.DeleteFunc(slices.Clone(r.Cells), func(c cell) bool { return c.Main != main })
}

// cell is a number of the score sheet.
type cell struct {
	Title, Text string
	// Best marks the smallest of its column, Worst the largest, where they
	// differ by enough to mean something.
	Best, Worst bool
	// Share is the number in percent of the largest of its column, and Bar tells
	// whether there is anything to compare it with.
	Share int
	Bar   bool
	// Main is of the columns that everyone wants to see.
	Main bool
}

// sheet are the columns of the score sheet.
var sheet = []struct {
	title, form string
	of          func(replay.Score) float64
	// least is the smallest difference that means something.
	least float64
	// rare columns are left out where they are zero throughout, main ones are what
	// everyone wants to see.
	rare, main bool
}{
	{"Billed core-hours", "%.1f", func(s replay.Score) float64 { return s.BilledCoreHours }, 1, false, true},
	{"Of the oracle", "%.2f×", func(s replay.Score) float64 { return s.CoreHours / max(s.OracleCoreHours, 1e-9) }, 0.01, false, true},
	{"All in all", "%.1f", func(s replay.Score) float64 { return s.Total }, 1, true, true},
	{"Money", "%.2f", func(s replay.Score) float64 { return s.Money }, 0.01, true, true},
	{"Unserved", "%.3f %%", func(s replay.Score) float64 { return s.UnservedPercent }, 0.01, false, true},
	{"Late", "%.3f %%", func(s replay.Score) float64 { return s.Late }, 0.01, true, true},
	{"Changes", "%.0f", func(s replay.Score) float64 { return float64(s.Changes) }, 2, false, true},
	{"Core-hours", "%.1f", func(s replay.Score) float64 { return s.CoreHours }, 1, false, false},
	{"GiB-hours", "%.1f", func(s replay.Score) float64 { return s.GiBHours }, 1, false, false},
	{"Wasted core-hours", "%.1f", func(s replay.Score) float64 { return s.WasteCoreHours }, 1, false, false},
	{"Wait, median", "%.3f s", func(s replay.Score) float64 { return s.P50WaitSeconds }, 0.005, true, false},
	{"Wait, 99 %", "%.3f s", func(s replay.Score) float64 { return s.P99WaitSeconds }, 0.005, true, false},
	{"Minutes above 90 %", "%.1f %%", func(s replay.Score) float64 { return s.ViolationPercent }, 0.1, false, false},
	{"Slack", "%.1f %%", func(s replay.Score) float64 { return s.Slack }, 1, false, false},
	{"Starved", "%.1f min", func(s replay.Score) float64 { return s.StarvedMinutes }, 0.5, false, false},
	{"Longest", "%.1f min", func(s replay.Score) float64 { return s.LongestStarvedMinutes }, 0.5, false, false},
	{"Pod starts", "%.0f", func(s replay.Score) float64 { return float64(s.PodStarts) }, 2, false, false},
	{"Pod stops", "%.0f", func(s replay.Score) float64 { return float64(s.PodStops) }, 2, true, false},
	{"Pod resizes", "%.0f", func(s replay.Score) float64 { return float64(s.PodResizes) }, 2, true, false},
	{"Restarts", "%.0f", func(s replay.Score) float64 { return float64(s.Restarts) }, 1, true, false},
	{"OOM kills", "%.0f", func(s replay.Score) float64 { return float64(s.OOMKills) }, 1, true, false},
	{"Mean wait", "%.3f s", func(s replay.Score) float64 { return s.MeanWaitSeconds }, 0.005, true, false},
	{"Pending", "%.1f min", func(s replay.Score) float64 { return s.PendingMinutes }, 0.5, true, false},
}

// oracle is no policy that anyone could choose, so it is compared with nobody.
const oracle = "oracle"

// span is the smallest and the largest of some numbers.
type span struct {
	least, most float64
	any         bool
}

func (s *span) add(v float64) {
	if !s.any {
		*s = span{v, v, true}
	}
	s.least, s.most = min(s.least, v), max(s.most, v)
}

// rowsOf returns the score sheet with the policies one below the other.
func rowsOf(r Report) []row {
	out := make([]row, len(r.Results))
	for i, result := range r.Results {
		out[i].Name = result.Policy
	}
	for _, c := range sheet {
		all, real := span{}, span{}
		for _, result := range r.Results {
			all.add(c.of(result.Score))
			if result.Policy != oracle {
				real.add(c.of(result.Score))
			}
		}
		if c.rare && all.most == 0 {
			continue
		}
		for i, result := range r.Results {
			v := c.of(result.Score)
			one := cell{Title: c.title, Text: fmt.Sprintf(c.form, v), Main: c.main, Bar: len(r.Results) > 1}
			if apart := real.most - real.least; apart >= c.least && apart >= asGood*real.most && result.Policy != oracle {
				// What reads the same is the same to a reader.
				one.Best, one.Worst = one.Text == fmt.Sprintf(c.form, real.least), one.Text == fmt.Sprintf(c.form, real.most)
			}
			if all.most > 0 {
				one.Share, _ = strconv.Atoi(fmt.Sprintf("%.0f", 100*v/all.most))
			}
			out[i].Cells = append(out[i].Cells, one)
		}
	}
	return out
}
