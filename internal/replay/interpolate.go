package replay

import (
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace"
)

// interpolated draws straight lines between the points, with a point each step.
// In a coarse recording the value jumps where the real demand rose gradually,
// and no policy can follow a jump. Gaps are not bridged: nobody knows what was
// there.
func interpolated(t trace.Trace, step time.Duration) trace.Trace {
	out := trace.Trace{Step: min(t.Step, step)}
	out.Points = make([]trace.Point, 0, len(t.Points)*int((t.Step+step-1)/step))
	for i, p := range t.Points {
		out.Points = append(out.Points, p)
		// The last value holds for its own step: where it leads is not known.
		next := trace.Point{At: p.At.Add(t.Step), Value: p.Value}
		if i+1 < len(t.Points) {
			next = t.Points[i+1]
		}
		span := next.At.Sub(p.At)
		if span > t.Step+t.Step/2 {
			continue
		}
		for after := step; after < span; after += step {
			out.Points = append(out.Points, trace.Point{At: p.At.Add(after), Value: p.Toward(next, p.At.Add(after))})
		}
	}
	return out
}
