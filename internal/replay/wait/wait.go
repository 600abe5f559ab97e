package wait

import (
	"math/bits"
	"time"

	"github.com/tidemark/tidemark/scale"
)

const parts = scale.Parts

// Model is how requests come and are worked off.
type Model struct {
	// Service is how long a core works on a request, on average.
	Service time.Duration
	// Fixed is set where every request takes as long; otherwise their times are
	// spread exponentially.
	Fixed bool
	// Most is how long a request may wait.
	Most time.Duration
}

// Load is how busy a pod is.
type Load struct {
	// Busy is the work that comes by the work that the pod can do.
	Busy int64
	// Requests is how many a busy pod works off while one waits as long as it
	// may.
	Requests int64
}

// mostBusy bounds how busy a pod is: beyond it all that differs is what is lost,
// and that is nearly everything.
const mostBusy = 1000 * parts

// LoadOf is the load of pods that can do so much together, each of them such a
// part of it.
func (m *Model) LoadOf(work, capacity, each scale.Amount) Load {
	out := Load{Busy: mostBusy, Requests: timesOver(int64(each), int64(m.Most), int64(m.Service))}
	if capacity > 0 {
		out.Busy = min(timesOver(int64(work), parts, int64(capacity)), mostBusy)
	}
	// An amount has thousandths, and a share billionths.
	out.Requests = min(out.Requests, 1<<53/(parts/int64(scale.Thousand))) * (parts / int64(scale.Thousand))
	return out
}

// Line is the queue at a pod.
type Line struct {
	model Model
	load  Load
	// steep is by how much the chance of a longer wait falls, or beyond full
	// utilization grows, until Most; slope is that for each part that is idle.
	steep, slope int64
	over         bool
	// left is what is left at Most of something that falls so steeply, and whole
	// the sum until there.
	left, whole int64
}

// LineAt is the queue at pods of a load.
func (m *Model) LineAt(l Load) Line {
	idle := parts - l.Busy
	slope := l.Requests
	if m.Fixed {
		// The decay of M/D/1, as a series in the part that is idle.
		slope = times(l.Requests, 2*parts+2*clip(idle)/3+times(4*clip(idle)/9, clip(idle)))
	}
	out := Line{model: *m, load: l, slope: slope, over: idle < 0}
	out.steep = times(slope, abs(idle))
	if out.left = decay(out.steep); !out.bounded() {
		return out
	}
	out.whole = out.sum(out.steep, out.left, parts)
	return out
}

// bounded tells whether the bound makes a difference. Where nobody waits as long
// there is a shorter way.
func (l *Line) bounded() bool { return l.over || l.left > 0 }

// clip keeps the series where it is one.
func clip(idle int64) int64 { return max(idle, -parts) }

// atOnce is the part of the sum that does not wait: what a request of random length
// and one of a fixed length have at their beginning, by the decay.
func (l *Line) atOnce(decayed int64) int64 {
	if l.model.Fixed {
		return times(2*parts/3, decayed)
	}
	return decayed
}

// sum is how often the queue is short enough, by how often it is empty: until a
// share of Most. Beyond full utilization it is divided by what the chance has
// grown by until then, which is too large a number.
func (l *Line) sum(steep, left, share int64) int64 {
	// Near full utilization both 1 − left and the idle part are too small to be
	// divided, elsewhere the slope is too large to be multiplied with.
	idle := abs(parts - l.load.Busy)
	grown := int64(0)
	if idle > parts/20 {
		grown = timesOver(parts-left, parts, idle)
	} else {
		grown = times(times(l.slope, share), evenly(steep, left))
	}
	if l.over {
		return l.atOnce(parts) + grown
	}
	return l.atOnce(left) + grown
}

// Lost is the share of requests that are turned away.
func (l *Line) Lost() int64 {
	if !l.bounded() {
		return 0
	}
	// What is at the end of the queue, by all there is.
	idle := parts - l.load.Busy
	end := max(parts-l.atOnce(max(idle, 0)), 0)
	if l.over {
		end = parts + l.atOnce(-idle)
		return min(timesOver(end, parts, l.left+times(l.load.Busy, l.whole)), parts)
	}
	return min(timesOver(times(end, l.left), parts, parts+times(l.load.Busy, l.whole)), parts)
}

// Longer is the share of requests that wait longer than a time, of those that are
// not turned away.
func (l *Line) Longer(than time.Duration) int64 {
	return l.LongerThan(l.model.Share(than))
}

// Share is a wait as a share of the longest.
func (m *Model) Share(of time.Duration) int64 {
	if of >= m.Most {
		return parts
	}
	return timesOver(int64(max(of, 0)), parts, int64(m.Most))
}

// LongerThan is the same for a share of the longest wait. Those that ask for the same
// waits of many lines work it out once.
func (l *Line) LongerThan(share int64) int64 {
	if share >= parts {
		return 0
	}
	steep := times(l.steep, share)
	if !l.bounded() {
		return times(parts-l.atOnce(parts-l.load.Busy), decay(steep))
	}
	until := l.sum(steep, decay(steep), share)
	if l.over {
		until = times(until, decay(l.steep-steep))
	}
	return max(parts-timesOver(until, parts, max(l.whole, 1)), 0)
}

// times is the product of two numbers in billionths.
func times(a, b int64) int64 {
	if hi, lo := bits.Mul64(uint64(a), uint64(b)); hi == 0 {
		return int64(lo / parts)
	}
	return timesOver(a, b, parts)
}

// timesOver is a × b / c for what is not negative, rounded down and saturated.
func timesOver(a, b, c int64) int64 {
	if c == 0 {
		return int64(scale.MaxAmount)
	}
	if a < 0 {
		return -timesOver(-a, b, c)
	}
	if b < 0 {
		return -timesOver(a, -b, c)
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi == 0 {
		return int64(min(lo/uint64(c), uint64(scale.MaxAmount)))
	}
	if hi >= uint64(c) {
		return int64(scale.MaxAmount)
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(min(q, uint64(scale.MaxAmount)))
}

func abs(x int64) int64 { return max(x, -x) }
