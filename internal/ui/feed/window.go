package feed

import (
	"math"
	"sort"
	"strconv"
)

// Window is a time to look at, in milliseconds, in so many columns.
type Window struct {
	From, To int64
	Columns  int
	// Now is until when the last decision holds, where decisions hold.
	Now int64
}

// MostColumns is as many as the widest screen has use for, and mostChanges as many
// decisions as anyone can point at.
const (
	MostColumns = 4000
	mostChanges = 2000
	mostMarks   = 500
)

// Lanes are a workload over a time.
type Lanes struct {
	// First and Last are how far the history goes, From and Step where the columns
	// are: all in milliseconds.
	First   int64           `json:"first"`
	Last    int64           `json:"last"`
	From    int64           `json:"from"`
	Step    int64           `json:"step"`
	Columns int             `json:"columns"`
	Points  int             `json:"points"`
	Lines   map[string]Band `json:"lines"`
	Metrics []MetricLane    `json:"metrics"`
	Ribbon  Ribbon          `json:"ribbon"`
	Changes []Change        `json:"changes"`
	// LeftOut is how many changes came before those.
	LeftOut int `json:"leftOut"`
	// Marks are what happened to the pods, the last of them if there are many.
	Marks []Mark `json:"marks"`
	// Pods are the pods as they are now, where that is known.
	Pods []Pod `json:"pods,omitempty"`
	// Problem says why less is shown than was asked for.
	Problem string `json:"problem,omitempty"`
}

// Band is the smallest and the largest value of each column.
type Band struct {
	Min Numbers `json:"min"`
	Max Numbers `json:"max"`
}

// MetricLane is a metric in its band.
type MetricLane struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"`
	Value Band   `json:"value"`
	Low   Band   `json:"low"`
	High  Band   `json:"high"`
}

// Ribbon is why, column by column: numbers of words, -1 where nothing was decided.
type Ribbon struct {
	Words   []string `json:"words"`
	Reasons []int    `json:"reasons"`
	Limits  []int    `json:"limits"`
	// Mins and Maxs are why the bounds are what they are.
	Mins []int `json:"mins"`
	Maxs []int `json:"maxs"`
}

// Numbers are written with as many digits as can be seen, and null where there is
// none.
type Numbers []float32

// MarshalJSON writes the numbers.
func (n Numbers) MarshalJSON() ([]byte, error) {
	out := append(make([]byte, 0, 7*len(n)+2), '[')
	for i, v := range n {
		if i > 0 {
			out = append(out, ',')
		}
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			out = append(out, "null"...)
		} else {
			out = strconv.AppendFloat(out, f, 'g', 6, 32)
		}
	}
	return append(out, ']'), nil
}

// Lanes returns a window of the history.
func (h *History) Lanes(w Window) Lanes {
	h.mu.RLock()
	defer h.mu.RUnlock()
	out := Lanes{Lines: map[string]Band{}, Metrics: []MetricLane{}, Changes: []Change{}, Marks: []Mark{}, Ribbon: Ribbon{Words: h.words}}
	if len(h.at) == 0 {
		return out
	}
	out.First, out.Last = h.at[0]*1000, h.at[len(h.at)-1]*1000
	if h.Held {
		out.Last = max(out.Last, w.Now)
	}
	grid := h.grid(w, out.First, out.Last)
	out.From, out.Step, out.Columns, out.Points = grid.from, grid.step, grid.columns, grid.end-grid.first
	for i, name := range LineNames {
		if band, any := grid.band(h.values[i]); any {
			out.Lines[name] = band
		}
	}
	for _, m := range h.metrics {
		lane := MetricLane{Name: m.name, Unit: m.unit}
		lane.Value, _ = grid.band(m.value)
		lane.Low, _ = grid.band(m.low)
		lane.High, _ = grid.band(m.high)
		out.Metrics = append(out.Metrics, lane)
	}
	grid.ribbon(h, &out.Ribbon)
	from := sort.Search(len(h.changes), func(i int) bool { return h.changes[i].at >= grid.from })
	to := sort.Search(len(h.changes), func(i int) bool { return h.changes[i].at >= grid.from+grid.step*int64(grid.columns) })
	out.LeftOut = max(to-from-mostChanges, 0)
	for _, c := range h.changes[from+out.LeftOut : to] {
		out.Changes = append(out.Changes, Change{c.at, h.words[c.reason], h.words[c.limited], c.headline})
	}
	for _, m := range h.marks {
		if m.At >= grid.from && m.At < grid.from+grid.step*int64(grid.columns) {
			out.Marks = append(out.Marks, m)
		}
	}
	out.Marks = out.Marks[max(0, len(out.Marks)-mostMarks):]
	return out
}

// grid is where columns are, and the rows that fall into them.
type grid struct {
	at         []int64
	from, step int64
	columns    int
	first, end int
	// held is set where a column without a decision has that of the one before, the
	// first of them that of before the window.
	held bool
}

func (h *History) grid(w Window, first, last int64) grid {
	if w.To <= w.From {
		w.From, w.To = first, last+1
	}
	// Beyond the history there is nothing, however far someone looks.
	w.From, w.To = min(max(w.From, first), last+1000), min(w.To, last+1000)
	w.To = max(w.To, w.From+1000)
	columns := int64(min(max(w.Columns, 10), MostColumns))
	g := grid{at: h.at, from: w.From, held: h.Held}
	g.first, g.end = h.rows(w.From, w.To)
	// Whole seconds, and no finer than decisions are made: then a column without a
	// value is one of which nothing is known.
	g.step = max((w.To-w.From+columns*1000-1)/(columns*1000), g.spacing()) * 1000
	g.columns = int((w.To - w.From + g.step - 1) / g.step)
	return g
}

// spacing is how many seconds lie between decisions, as far as the first of them
// tell.
func (g *grid) spacing() int64 {
	least := int64(0)
	if g.held {
		return 1
	}
	for i := g.first + 1; i < min(g.end, g.first+100); i++ {
		if d := g.at[i] - g.at[i-1]; least == 0 || d < least {
			least = d
		}
	}
	return max(least, 1)
}

func (g *grid) column(row int) int { return int((g.at[row]*1000 - g.from) / g.step) }

// band is a line in columns; it reports false where nothing is known of it.
func (g *grid) band(values []float32) (Band, bool) {
	out := Band{make(Numbers, g.columns), make(Numbers, g.columns)}
	for i := range out.Min {
		out.Min[i], out.Max[i] = unknown, unknown
	}
	any := false
	for row := g.first; row < min(g.end, len(values)); row++ {
		v := values[row]
		if nan(v) {
			continue
		}
		any = true
		i := g.column(row)
		if nan(out.Min[i]) {
			out.Min[i], out.Max[i] = v, v
			continue
		}
		out.Min[i], out.Max[i] = min(out.Min[i], v), max(out.Max[i], v)
	}
	if g.held {
		any = g.hold(out, values) || any
	}
	return out, any
}

// hold lets values last until the next one.
func (g *grid) hold(out Band, values []float32) (any bool) {
	last, row := unknown, g.first
	if g.first > 0 && g.first <= len(values) {
		last = values[g.first-1]
	}
	for i := range out.Max {
		if nan(out.Max[i]) {
			out.Min[i], out.Max[i] = last, last
		}
		for ; row < min(g.end, len(values)) && g.column(row) == i; row++ {
			last = values[row]
		}
		any = any || !nan(out.Max[i])
	}
	return any
}

// ribbon is the reason of each column: that of a decision to change, if there is
// one, and otherwise of the last.
func (g *grid) ribbon(h *History, out *Ribbon) {
	columns := make([]int, 4*g.columns)
	for i := range columns {
		columns[i] = -1
	}
	out.Reasons, out.Limits = columns[:g.columns], columns[g.columns:2*g.columns]
	out.Mins, out.Maxs = columns[2*g.columns:3*g.columns], columns[3*g.columns:]
	changed := make([]bool, g.columns)
	for row := g.first; row < g.end; row++ {
		i := g.column(row)
		moves := h.values[Replicas][row] != h.values[Want][row]
		if changed[i] && !moves {
			continue
		}
		changed[i] = changed[i] || moves
		out.set(i, h, row)
	}
	if g.held && g.first > 0 && out.Reasons[0] < 0 {
		out.set(0, h, g.first-1)
	}
}

// set lets a column have the words of a row.
func (r *Ribbon) set(column int, h *History, row int) {
	r.Reasons[column], r.Limits[column] = int(h.reasons[row]), int(h.limits[row])
	r.Mins[column], r.Maxs[column] = int(h.mins[row]), int(h.maxs[row])
}
