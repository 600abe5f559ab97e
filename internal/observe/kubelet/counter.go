package kubelet

import (
	"math/bits"
	"time"

	"github.com/tidemark/tidemark/internal/observe/metricsapi"
	"github.com/tidemark/tidemark/scale"
)

const (
	// longestWindow is how far two measurements may be apart to make a rate. A
	// kubelet takes one every 10 to 30 s; what lies further back is another time.
	longestWindow = time.Minute
	// slack is by how much the node's clock and ours may disagree on the time
	// between two measurements: one is shown a moment after it was taken.
	slack = 2 * time.Second
	// mostCores is more than any machine has.
	mostCores = 1_000_000
)

// reading is what a kubelet says of one container.
type reading struct {
	// at is when it was measured, by the node's clock.
	at time.Time
	// cpu is what was used since the start, in nanoseconds of a core; memory is
	// in bytes.
	cpu, memory int64
	// started is when the container was. It may be zero.
	started time.Time
}

// moment is when something happened by our own clock, as far as that is known:
// after one request began, and before another one ended. A zero after is
// unknown.
type moment struct{ after, before time.Time }

// counter is what is known of a container's cpu.
type counter struct {
	last reading
	// taken is when last was, by our clock.
	taken moment
	// grown and window are since the reading before last, where the two belong
	// together.
	grown  int64
	window time.Duration
}

// rated tells whether there is a rate.
func (c *counter) rated() bool { return c.window > 0 }

// advance takes a reading that was seen at a moment. The one of before that was
// shown again changes nothing, one that does not follow the last is a new
// beginning.
func (c *counter) advance(r reading, taken moment) {
	if r.at.Equal(c.last.at) && r.cpu == c.last.cpu {
		c.last = r
		return
	}
	next := counter{last: r, taken: taken}
	if r.follows(c.last) && taken.fits(c.taken, r.at.Sub(c.last.at)) {
		next.grown, next.window = r.cpu-c.last.cpu, r.at.Sub(c.last.at)
	}
	*c = next
}

// follows tells whether a reading belongs to the same run of a container as an
// earlier one, soon after it.
func (r reading) follows(earlier reading) bool {
	window := r.at.Sub(earlier.at)
	return window > 0 && window <= longestWindow && r.cpu >= earlier.cpu && !r.started.After(earlier.at)
}

// fits tells whether the time that passed by the node's clock can have passed by
// ours. A clock that was set forward would otherwise make a busy container look
// idle. Where the earlier moment is not known well enough, nobody can tell.
func (m moment) fits(earlier moment, passed time.Duration) bool {
	if m.after.IsZero() || earlier.after.IsZero() {
		return false
	}
	return passed >= m.after.Sub(earlier.before)-slack && passed <= m.before.Sub(earlier.after)+slack
}

// usage is the rate and the memory, in thousandths. More than any machine can
// use is unusable.
func (c *counter) usage() scale.Resources {
	memory := scale.Resources{}.With(scale.Memory, scale.Amount(c.last.memory)*scale.Thousand)
	if c.last.memory > int64(scale.MaxAmount/scale.Thousand) {
		memory = scale.Resources{}.WithUnusable(scale.Memory)
	}
	cores, ok := millicores(c.grown, c.window)
	if !ok {
		return memory.WithUnusable(scale.CPU)
	}
	return memory.With(scale.CPU, cores)
}

// millicores is the average over a window of what was used in it, rounded up as
// quantities are.
func millicores(nanoseconds int64, window time.Duration) (scale.Amount, bool) {
	hi, lo := bits.Mul64(uint64(nanoseconds), uint64(scale.Thousand))
	if hi >= uint64(window) {
		return 0, false
	}
	out, rest := bits.Div64(hi, lo, uint64(window))
	if rest > 0 {
		out++
	}
	return scale.Amount(out), out <= mostCores*uint64(scale.Thousand)
}

// podOf puts the containers of a pod together. The pod was measured when the
// first of them was. It reports false where one of them has no rate.
func podOf(containers map[string]*counter) (metricsapi.PodUsage, bool) {
	out := metricsapi.PodUsage{Containers: make([]metricsapi.ContainerUsage, 0, len(containers))}
	for name, c := range containers {
		if !c.rated() {
			return metricsapi.PodUsage{}, false
		}
		at := c.last.at
		if at.After(c.taken.before) {
			// The node's clock is ahead of ours.
			at = c.taken.before
		}
		if out.At.IsZero() || at.Before(out.At) {
			out.At, out.Window = at.Round(0), c.window
		}
		out.Containers = append(out.Containers, metricsapi.ContainerUsage{Name: name, Usage: c.usage()})
	}
	return out, len(containers) > 0
}
