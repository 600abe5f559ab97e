package feed

import (
	"math"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// History is every decision of a workload, in columns. It may be read while it
// grows.
type History struct {
	// Held is set where a decision holds until the next one is seen, as that of a
	// status does, which is written only when something matters.
	Held bool

	mu sync.RWMutex
	// at is in seconds, and never goes back.
	at      []int64
	values  [lines][]float32
	metrics []metricColumns
	// reasons and limits are numbers of words, and so are those of the bounds.
	reasons, limits []uint8
	mins, maxs      []uint8
	words           []string
	changes         []change
	marks           []Mark
	day             day
	last            Moment
}

type metricColumns struct {
	name, unit       string
	value, low, high []float32
}

// change is a decision that changed the size, with the numbers of its words.
type change struct {
	at              int64
	headline        string
	reason, limited uint8
}

// Change is a decision that changed the size.
type Change struct {
	At        int64  `json:"at"`
	Reason    string `json:"reason"`
	LimitedBy string `json:"limitedBy,omitempty"`
	Headline  string `json:"headline"`
}

// Add adds a moment. One that is not after the last is left out: time only goes
// on.
func (h *History) Add(m Moment) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := m.At.Unix()
	if n := len(h.at); n > 0 && at <= h.at[n-1] {
		return
	}
	step := int64(0)
	if n := len(h.at); n > 0 {
		step = at - h.at[n-1]
	}
	h.at = append(h.at, at)
	for i, v := range m.Values {
		h.values[i] = append(h.values[i], v)
	}
	for _, r := range m.Metrics {
		h.column(r).add(len(h.at), r)
	}
	for i := range h.metrics {
		h.metrics[i].add(len(h.at), Reading{Value: unknown, Low: unknown, High: unknown})
	}
	h.reasons, h.limits = append(h.reasons, h.word(m.Reason)), append(h.limits, h.word(m.LimitedBy))
	h.mins, h.maxs = append(h.mins, h.word(m.MinReason)), append(h.maxs, h.word(m.MaxReason))
	if m.Changed {
		h.changes = append(h.changes, change{m.At.UnixMilli(), m.Headline, h.word(m.Reason), h.word(m.LimitedBy)})
	}
	h.marks = append(h.marks, m.Marks...)
	h.day.add(&h.last, &m, step)
	h.last = m
}

// Trim forgets the oldest moments, so that about so many are left. They go a
// quarter at a time, because each time costs as much as all that stay.
func (h *History) Trim(most int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	cut := len(h.at) - most
	if cut <= most/4 {
		return
	}
	h.at = slices.Clone(h.at[cut:])
	for i := range h.values {
		h.values[i] = slices.Clone(h.values[i][cut:])
	}
	for i := range h.metrics {
		m := &h.metrics[i]
		m.value, m.low, m.high = slices.Clone(m.value[cut:]), slices.Clone(m.low[cut:]), slices.Clone(m.high[cut:])
	}
	// A metric that was measured before all that stays is forgotten as well.
	h.metrics = slices.DeleteFunc(h.metrics, func(m metricColumns) bool {
		return !slices.ContainsFunc([][]float32{m.value, m.low, m.high}, func(all []float32) bool {
			return slices.ContainsFunc(all, func(v float32) bool { return !nan(v) })
		})
	})
	h.reasons, h.limits = slices.Clone(h.reasons[cut:]), slices.Clone(h.limits[cut:])
	h.mins, h.maxs = slices.Clone(h.mins[cut:]), slices.Clone(h.maxs[cut:])
	old := sort.Search(len(h.changes), func(i int) bool { return h.changes[i].at >= h.at[0]*1000 })
	h.changes = slices.Clone(h.changes[old:])
	h.marks = slices.DeleteFunc(slices.Clone(h.marks), func(m Mark) bool { return m.At < h.at[0]*1000 })
}

// column finds a metric's columns. One that is measured in another unit from some
// moment on has others from then on.
func (h *History) column(r Reading) *metricColumns {
	i := slices.IndexFunc(h.metrics, func(c metricColumns) bool { return c.name == r.Name && c.unit == r.Unit })
	if i < 0 {
		h.metrics, i = append(h.metrics, metricColumns{name: r.Name, unit: r.Unit}), len(h.metrics)
	}
	return &h.metrics[i]
}

// fill fills up to so many rows with what was not measured.
func (c *metricColumns) fill(rows int) {
	for len(c.value) < rows {
		c.value, c.low, c.high = append(c.value, unknown), append(c.low, unknown), append(c.high, unknown)
	}
}

// add adds a value to so many rows; what lies between was not measured.
func (c *metricColumns) add(rows int, r Reading) {
	c.fill(rows - 1)
	if len(c.value) < rows {
		c.value, c.low, c.high = append(c.value, r.Value), append(c.low, r.Low), append(c.high, r.High)
	}
}

// word is the number of a reason's word. There are fewer reasons than numbers.
func (h *History) word(r scale.Reason) uint8 { return h.wordOf(string(r)) }

func (h *History) wordOf(text string) uint8 {
	// A word of someone else's beyond those is none.
	if i := slices.Index(h.words, text); i < 0 && len(h.words) == math.MaxUint8 {
		text = ""
	}
	i := slices.Index(h.words, text)
	if i < 0 {
		h.words, i = append(h.words, text), len(h.words)
	}
	return uint8(i)
}

// First is when the first moment was; zero before there is any.
func (h *History) First() time.Time {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if len(h.at) == 0 {
		return time.Time{}
	}
	return time.Unix(h.at[0], 0).UTC()
}

// Last is the last moment, and when the size last changed; zero if it never did.
func (h *History) Last() (last Moment, changed time.Time) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if n := len(h.changes); n > 0 {
		changed = time.UnixMilli(h.changes[n-1].at).UTC()
	}
	return h.last, changed
}

// Day is a summary of the last day.
func (h *History) Day() Day {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.day.summary()
}

// rows are the rows from a moment until before another.
func (h *History) rows(from, to int64) (first, end int) {
	first = sort.Search(len(h.at), func(i int) bool { return h.at[i]*1000 >= from })
	end = sort.Search(len(h.at), func(i int) bool { return h.at[i]*1000 >= to })
	return first, end
}
