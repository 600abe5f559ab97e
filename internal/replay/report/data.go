package report

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/tidemark/tidemark/internal/replay"
)

// data is what the script draws.
type data struct {
	Start int64 `json:"start"`
	Step  int64 `json:"step"`
	// Columns is how many there are, of a step each.
	Columns int    `json:"columns"`
	Demand  band   `json:"demand"`
	Runs    []run  `json:"runs"`
	Front   []spot `json:"front,omitempty"`
}

type run struct {
	Name      string   `json:"name"`
	Capacity  band     `json:"capacity"`
	Replicas  band     `json:"replicas"`
	CPU       band     `json:"cpu"`
	Memory    band     `json:"memory"`
	Value     band     `json:"value"`
	Low       band     `json:"low"`
	High      band     `json:"high"`
	Metric    string   `json:"metric"`
	Percent   bool     `json:"percent"`
	Decisions []change `json:"decisions"`
	LeftOut   int      `json:"leftOut"`
}

// change is a decision.
type change struct {
	At       int64  `json:"at"`
	From     int32  `json:"from"`
	To       int32  `json:"to"`
	Headline string `json:"headline"`
	Text     string `json:"text,omitempty"`
}

// spot is a trial in the plane of cost and unserved work.
type spot struct {
	Name     string  `json:"name"`
	Cost     float64 `json:"cost"`
	Unserved float64 `json:"unserved"`
	Changes  int64   `json:"changes"`
	Best     bool    `json:"best"`
	AsItIs   bool    `json:"asItIs"`
}

func dataOf(r Report) data {
	var out data
	for i, result := range r.Results {
		c := result.Course
		if c == nil {
			continue
		}
		if i == 0 {
			out.Start, out.Step, out.Columns, out.Demand = c.Start.UnixMilli(), c.Step.Milliseconds(), len(c.Demand.Min), band(c.Demand)
		}
		one := run{
			Name: result.Policy, Capacity: band(c.Capacity), Replicas: band(c.Replicas), CPU: band(c.CPU), Memory: band(c.Memory),
			Value: band(c.Value), Low: band(c.Low), High: band(c.High), Metric: c.Metric, Percent: c.Percent, LeftOut: c.LeftOut,
			Decisions: []change{},
		}
		for _, d := range c.Decisions {
			one.Decisions = append(one.Decisions, change{d.At.UnixMilli(), d.From, d.To, d.Headline, d.Text})
		}
		out.Runs = append(out.Runs, one)
	}
	if r.Tuned != nil {
		for _, t := range r.Tuned.Trials {
			out.Front = append(out.Front, spot{t.Name, t.Score.BilledCoreHours, t.Score.UnservedPercent, t.Score.Changes, t.Best, len(t.Settings) == 0})
		}
	}
	return out
}

// band is an envelope: two lists of numbers with four digits, null where there
// is none, or one number where all are the same.
type band replay.Envelope

// MarshalJSON writes the band as short as it can be.
func (b band) MarshalJSON() ([]byte, error) {
	if v, constant := b.constant(); constant {
		return appendNumber(nil, v), nil
	}
	out := []byte("[")
	lists := [][]float64{b.Min, b.Max}
	if b.single() {
		lists = lists[:1]
	}
	for i, list := range lists {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, '[')
		for j, v := range list {
			if j > 0 {
				out = append(out, ',')
			}
			out = appendNumber(out, v)
		}
		out = append(out, ']')
	}
	return append(out, ']'), nil
}

// single tells whether the least and the most are the same throughout.
func (b band) single() bool {
	for i := range b.Min {
		if b.Min[i] != b.Max[i] && !(math.IsNaN(b.Min[i]) && math.IsNaN(b.Max[i])) {
			return false
		}
	}
	return true
}

// constant tells whether the whole band is one number, or none at all.
func (b band) constant() (float64, bool) {
	first := math.NaN()
	for i := range b.Min {
		if math.IsNaN(b.Min[i]) {
			continue
		}
		if math.IsNaN(first) {
			first = b.Min[i]
		}
		if b.Min[i] != first || b.Max[i] != first {
			return 0, false
		}
	}
	return first, true
}

func appendNumber(out []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(out, "null"...)
	}
	return strconv.AppendFloat(out, v, 'g', 4, 64)
}

var _ json.Marshaler = band{}
