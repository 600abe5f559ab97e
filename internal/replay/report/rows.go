package report

import (
	"fmt"
	"strconv"

	"github.com/tidemark/tidemark/internal/replay"
)

// row is a line of the score sheet.
type row struct {
	Name  string
	Cells []cell
}

// cell is a number of the score sheet.
type cell struct {
	Title, Text string
	// Best marks the smallest of its column, Worst the largest, where they
	// differ.
	Best, Worst bool
	// Share is the number in percent of the largest of its column.
	Share int
}

// sheet are the columns of the score sheet.
var sheet = []struct {
	title, form string
	of          func(replay.Score) float64
	// rare columns are left out where they are zero throughout.
	rare bool
}{
	{"Core-hours", "%.1f", func(s replay.Score) float64 { return s.CoreHours }, false},
	{"Of the oracle", "%.2f×", func(s replay.Score) float64 { return s.CoreHours / max(s.OracleCoreHours, 1e-9) }, false},
	{"Billed core-hours", "%.1f", func(s replay.Score) float64 { return s.BilledCoreHours }, false},
	{"T, in core-hours", "%.1f", measured, true},
	{"Money", "%.2f", func(s replay.Score) float64 { return s.Money }, true},
	{"GiB-hours", "%.1f", func(s replay.Score) float64 { return s.GiBHours }, false},
	{"Wasted core-hours", "%.1f", func(s replay.Score) float64 { return s.WasteCoreHours }, false},
	{"Unserved", "%.3f %%", func(s replay.Score) float64 { return s.UnservedPercent }, false},
	{"Late", "%.3f %%", func(s replay.Score) float64 { return s.Late }, true},
	{"Wait, median", "%.3f s", func(s replay.Score) float64 { return s.P50WaitSeconds }, true},
	{"Wait, 99 %", "%.3f s", func(s replay.Score) float64 { return s.P99WaitSeconds }, true},
	{"Minutes above 90 %", "%.1f %%", func(s replay.Score) float64 { return s.ViolationPercent }, false},
	{"Slack", "%.1f %%", func(s replay.Score) float64 { return s.Slack }, false},
	{"Starved", "%.1f min", func(s replay.Score) float64 { return s.StarvedMinutes }, false},
	{"Longest", "%.1f min", func(s replay.Score) float64 { return s.LongestStarvedMinutes }, false},
	{"Changes", "%.0f", func(s replay.Score) float64 { return float64(s.Changes) }, false},
	{"Pod starts", "%.0f", func(s replay.Score) float64 { return float64(s.PodStarts) }, false},
	{"Pod stops", "%.0f", func(s replay.Score) float64 { return float64(s.PodStops) }, true},
	{"Pod resizes", "%.0f", func(s replay.Score) float64 { return float64(s.PodResizes) }, true},
	{"Restarts", "%.0f", func(s replay.Score) float64 { return float64(s.Restarts) }, true},
	{"OOM kills", "%.0f", func(s replay.Score) float64 { return float64(s.OOMKills) }, true},
	{"Mean wait", "%.3f s", func(s replay.Score) float64 { return s.MeanWaitSeconds }, true},
	{"Pending", "%.1f min", func(s replay.Score) float64 { return s.PendingMinutes }, true},
}

// measured is what a policy costs by the measure, 0 where none was asked for.
func measured(s replay.Score) float64 {
	if s.Measure == nil {
		return 0
	}
	return s.T
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
			one := cell{Title: c.title, Text: fmt.Sprintf(c.form, v)}
			// What reads the same is the same to a reader.
			least, most := fmt.Sprintf(c.form, real.least), fmt.Sprintf(c.form, real.most)
			if least != most && result.Policy != oracle {
				one.Best, one.Worst = one.Text == least, one.Text == most
			}
			if all.most > 0 {
				one.Share, _ = strconv.Atoi(fmt.Sprintf("%.0f", 100*v/all.most))
			}
			out[i].Cells = append(out[i].Cells, one)
		}
	}
	return out
}
