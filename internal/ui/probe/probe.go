package probe

import (
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
// it, and from a second to a day.
const (
	nearest  = parts / 1000
	furthest = 32 * parts
	longest  = 24 * time.Hour
)

// Turns returns what would change a decision that was made by a call.
func Turns(c record.Call) []Turn {
	base, _ := engine.Decide(c.Policy, c.Observation, c.Memory)
	var out []Turn
	for i := range c.Policy.Horizontal.Metrics {
		m := &c.Policy.Horizontal.Metrics[i]
		if m.Kind == horizontal.Computed || !known(&base, i) {
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

// known tells whether a metric had a value in a decision, or is looked at by a
// formula alone.
func known(d *scale.Decision, metric int) bool {
	for i := range d.Steps {
		if f := d.Steps[i].Metric; f != nil && f.Index == metric {
			return f.Known
		}
	}
	return false
}

// turn looks for the nearest value of one metric in one direction.
func turn(c record.Call, base *scale.Decision, metric int, up bool) Turn {
	out := Turn{Metric: valueName(base, metric), Up: up, Now: value(base, metric)}
	ask := func(factor int64) scale.Decision {
		d, _ := engine.Decide(c.Policy, scaled(&c, metric, factor), c.Memory)
		return d
	}
	same, other := int64(parts), int64(-1)
	for away := int64(nearest); other < 0; away *= 2 {
		factor := parts + away
		if !up {
			factor = max(parts-away, 0)
		}
		if factor > furthest || !up && same == 0 {
			out.Decision = ask(same)
			return out
		}
		if d := ask(factor); differs(base, &d) {
			other = factor
		} else {
			same = factor
		}
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
	out.At = value(&out.Decision, metric)
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
	for after := time.Second; other < 0; after *= 2 {
		if after > longest {
			return Turn{}
		}
		if d := ask(after); differs(base, &d) {
			other = after
		} else {
			same = after
		}
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
func value(d *scale.Decision, metric int) string {
	view := explain.ViewOf(*d)
	for i := range d.Steps {
		if f := d.Steps[i].Metric; f != nil && f.Index == metric {
			return view.Steps[i].Metric.Value
		}
	}
	return ""
}

func valueName(d *scale.Decision, metric int) string {
	for i := range d.Steps {
		if f := d.Steps[i].Metric; f != nil && f.Index == metric {
			return f.Name
		}
	}
	return ""
}

func abs(n int64) int64 { return max(n, -n) }
