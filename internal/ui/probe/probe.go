package probe

import (
	"iter"
	"time"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scale"
)

// Turn is where the answer becomes another.
type Turn struct {
	// Metric is the metric's name; empty where time alone changes the answer.
	Metric string
	// Up tells whether the value lies above the present one.
	Up bool
	// Now and At are the value as it is and as it would have to be, in the words of
	// explain; where time alone changes the answer, At is how long from now.
	Now, At string
	// Decision is what would then be decided, or where no value changes the answer,
	// what is decided at the furthest that was tried.
	Decision scale.Decision
	// Found is false where no value was found.
	Found bool
}

// parts is what factors are counted in: millionths of the present value.
const parts = 1_000_000

// The reach of a search: from a thousandth of the value away to thirty-two times
// it, and from a second to a day. fine is how many values are tried within each doubling
// of the distance: what is as wide as that share of its distance is not passed over.
const (
	nearest  = parts / 1000
	furthest = 32 * parts
	longest  = 24 * time.Hour
	fine     = 16
)

// distances are those that are tried, from the nearest to the furthest.
func distances(first, last int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		if !yield(first) {
			return
		}
		for from, before := first, first; ; from *= 2 {
			for i := int64(1); i <= fine; i++ {
				away := min(from+from*i/fine, last)
				if away > before && !yield(away) || away == last {
					return
				}
				before = away
			}
		}
	}
}

// Turns returns what would change a decision that was made by a call.
func Turns(c record.Call) []Turn {
	base, _ := engine.Decide(c.Policy, c.Observation, c.Memory)
	var out []Turn
	for i := range c.Policy.Horizontal.Metrics {
		m := &c.Policy.Horizontal.Metrics[i]
		if m.Kind == horizontal.Computed || !known(&base, m, i) {
			continue
		}
		out = append(out, turn(c, &base, i, false), turn(c, &base, i, true))
	}
	if base.LimitedBy != "" {
		if t := later(c, &base); t.Found {
			out = append(out, t)
		}
	}
	return out
}

// known tells whether a metric had a value in a decision.
func known(d *scale.Decision, m *horizontal.Metric, metric int) bool {
	if m.Input {
		in := input(d, m)
		return in != nil && in.Problem == ""
	}
	for i := range d.Steps {
		if f := d.Steps[i].Metric; f != nil && f.Index == metric {
			return f.Known
		}
	}
	return false
}

// turn looks for the nearest value of one metric in one direction.
func turn(c record.Call, base *scale.Decision, metric int, up bool) Turn {
	m := &c.Policy.Horizontal.Metrics[metric]
	out := Turn{Metric: valueName(base, m, metric), Up: up, Now: value(base, m, metric)}
	ask := func(factor int64) scale.Decision {
		d, _ := engine.Decide(c.Policy, scaled(&c, metric, factor), c.Memory)
		return d
	}
	same, other := int64(parts), int64(-1)
	toward, reach := int64(1), int64(furthest-parts)
	if !up {
		toward, reach = -1, parts
	}
	for away := range distances(nearest, reach) {
		factor := parts + toward*away
		if d := ask(factor); differs(base, &d) {
			other = factor
			break
		}
		same = factor
	}
	if other < 0 {
		out.Decision = ask(same)
		return out
	}
	for near := int64(1); abs(other-same) > near; {
		middle := same + (other-same)/2
		if d := ask(middle); differs(base, &d) {
			other = middle
		} else {
			same = middle
		}
	}
	out.Decision, out.Found = ask(other), true
	out.At = value(&out.Decision, m, metric)
	return out
}

// later looks for the moment at which time alone changes the answer: everything
// else stays as it was seen, and is seen again.
func later(c record.Call, base *scale.Decision) Turn {
	ask := func(after time.Duration) scale.Decision {
		d, _ := engine.Decide(c.Policy, passed(c.Observation, after), c.Memory)
		return d
	}
	same, other := time.Duration(0), time.Duration(-1)
	for seconds := range distances(1, int64(longest/time.Second)) {
		after := time.Duration(seconds) * time.Second
		if d := ask(after); differs(base, &d) {
			other = after
			break
		}
		same = after
	}
	if other < 0 {
		return Turn{}
	}
	for other-same > time.Second {
		middle := (same + (other-same)/2).Round(time.Second)
		if d := ask(middle); differs(base, &d) {
			other = middle
		} else {
			same = middle
		}
	}
	return Turn{Up: true, At: other.String(), Decision: ask(other), Found: true}
}

// differs tells whether another size would be applied, or recommended.
func differs(a, b *scale.Decision) bool {
	return !a.Want.Equal(b.Want) || !a.Proposed.Equal(b.Proposed)
}

// value is what a metric showed, in the words of explain.
func value(d *scale.Decision, m *horizontal.Metric, metric int) string {
	if in := input(d, m); m.Input && in != nil {
		if in.Bytes {
			return in.Value.Bytes()
		}
		return in.Value.String()
	}
	view := explain.ViewOf(*d)
	for i := range d.Steps {
		if f := d.Steps[i].Metric; f != nil && f.Index == metric {
			return view.Steps[i].Metric.Value
		}
	}
	return ""
}

// input is a metric as the formula saw it that it is an input of.
func input(d *scale.Decision, m *horizontal.Metric) *scale.FormulaInput {
	for i := range d.Steps {
		f := d.Steps[i].Metric
		if f == nil || f.Whole == nil {
			continue
		}
		for j := range f.Whole.Inputs {
			if f.Whole.Inputs[j].Name == m.Alias {
				return &f.Whole.Inputs[j]
			}
		}
	}
	return nil
}

func valueName(d *scale.Decision, m *horizontal.Metric, metric int) string {
	if m.Input {
		return m.Alias
	}
	for i := range d.Steps {
		if f := d.Steps[i].Metric; f != nil && f.Index == metric {
			return f.Name
		}
	}
	return ""
}

func abs(n int64) int64 { return max(n, -n) }
