package sim

import (
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// Recorded repeats what someone else decided.
type Recorded struct {
	counts []trace.Point
	// at is the last of them that has come.
	at int
}

// NewRecorded repeats counts, which are in thousandths of a pod and in the order
// of time. There must be at least one.
func NewRecorded(counts []trace.Point) *Recorded { return &Recorded{counts: counts} }

// Decide returns the count that was recorded last.
func (r *Recorded) Decide(p *Plant) scale.Decision {
	for r.at+1 < len(r.counts) && !r.counts[r.at+1].At.After(p.Now()) {
		r.at++
	}
	return resized(p, Pods(r.counts[r.at].Value))
}

// Pods is a recorded count as so many pods.
func Pods(count scale.Amount) int32 {
	const half = scale.Thousand / 2
	return int32(min(max(count.Add(half)/scale.Thousand, 0), MaxPods))
}
