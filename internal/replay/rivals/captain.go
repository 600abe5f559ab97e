package rivals

import (
	"math"
	"slices"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Settings of Autothrottle's Captain, by its public code.
const (
	captainPeriod = time.Second
	captainUsages = 50
	captainMargin = 3.0
	captainLeast  = 0.01
)

// captain is the controller of Autothrottle that stands beside each service
// (microsoft/autothrottle, worker-daemon.py; NSDI '24). It keeps the share of the
// kernel's periods in which a pod is throttled near a target: far above it the
// limit grows by as much, and below the limit goes down to the largest usage of
// the last periods and a margin of standard deviations, which the same feedback
// moves. A limit that was lowered and throttles at once is taken back twofold.
//
// The number of pods stays what it is. Request and limit are one: the limit is
// what the service occupies.
type captain struct {
	target float64
	// period is the time between decisions, in periods of the kernel.
	period int

	limit, last float64
	margin      float64
	lowered     bool
	throttled   flags
	usage       window
	seen        int
	until       time.Time
	periods     []sim.Period
}

// CaptainTargets are the throttle targets, in percent, that the Tower of
// Autothrottle chooses from.
var CaptainTargets = []int32{0, 2, 4, 6, 10, 15, 20, 25, 30}

// Captain returns a captain with a throttle target in percent, and lets the plant
// ask it each second. Shared lets it decide as often as everyone instead.
func Captain(s *sim.Settings, percent int32, shared bool) sim.Controller {
	settle(s)
	if !shared {
		s.Sync = captainPeriod
	}
	s.Recall = max(s.Recall, s.Sync)
	return controller{newCaptain(float64(percent)/100, cores(podCPU(s)), s.Sync)}
}

// TunedCaptain returns a captain with the throttle target that would have cost
// least in the first half of the demand, or its first day. It stands for the Tower,
// which goes on learning targets from latencies that a replay does not have.
func TunedCaptain(s *sim.Settings, shared bool) sim.Controller {
	var candidates []func(*sim.Settings) sim.Controller
	for _, percent := range CaptainTargets {
		candidates = append(candidates, func(s *sim.Settings) sim.Controller { return Captain(s, percent, shared) })
	}
	return candidates[cheapest(*s, min(s.Demand.Length()/2, 24*time.Hour), candidates)](s)
}

func newCaptain(target, limit float64, period time.Duration) *captain {
	n := int(period / sim.PeriodLength)
	return &captain{
		target: target, period: n, limit: limit, last: limit, margin: captainMargin,
		throttled: flags{last: make([]bool, max(n, 1))}, usage: window{values: make([]float64, captainUsages)},
	}
}

func (c *captain) decide(v View) scale.Decision {
	// A limit that is not in force yet says nothing, and in a cluster takes longer
	// than the kernel does.
	if c.until.IsZero() || 2*v.Short() > v.Ready() {
		c.until = v.Now()
		return capped(v, milli(c.limit))
	}
	c.periods = v.Periods(c.periods[:0], c.until, v.Now())
	c.until = v.Now()
	for _, p := range c.periods {
		c.step(cores(p.Used), p.Throttled)
	}
	return capped(v, milli(c.limit))
}

// step is one period of the kernel.
func (c *captain) step(used float64, throttled bool) {
	c.throttled.add(throttled)
	c.usage.add(used)
	if rate := c.throttled.share(); rate > 3*c.target && c.lowered {
		c.limit = 2*c.last - c.limit
		c.margin += rate - c.target
		c.throttled.clear()
		c.lowered = false
	}
	if c.seen++; c.seen < c.period {
		return
	}
	c.seen = 0
	c.last, c.lowered = c.limit, false
	rate := c.throttled.share()
	c.margin = max(c.margin+rate-c.target, 0)
	if rate > 3*c.target {
		c.limit *= 1 + rate - 3*c.target
	} else if enough := c.usage.max() + c.margin*c.usage.deviation(); enough <= 0.9*c.limit {
		c.limit = max(c.limit/2, enough)
		c.lowered = true
	}
	c.limit = max(c.limit, captainLeast)
	c.throttled.clear()
}

// flags are the last ones of a fixed number; at first none is set.
type flags struct {
	last []bool
	next int
	set  int
}

func (f *flags) add(set bool) {
	if f.last[f.next] {
		f.set--
	}
	if f.last[f.next] = set; set {
		f.set++
	}
	f.next = (f.next + 1) % len(f.last)
}

func (f *flags) clear() {
	clear(f.last)
	f.set = 0
}

func (f *flags) share() float64 { return float64(f.set) / float64(len(f.last)) }

// window is the last values of a fixed number; at first they are zero.
type window struct {
	values []float64
	next   int
}

func (w *window) add(x float64) {
	w.values[w.next] = x
	w.next = (w.next + 1) % len(w.values)
}

func (w *window) max() float64 { return slices.Max(w.values) }

// deviation is the standard deviation of a sample.
func (w *window) deviation() float64 {
	mean, sum := 0.0, 0.0
	for _, x := range w.values {
		mean += x / float64(len(w.values))
	}
	for _, x := range w.values {
		sum += (x - mean) * (x - mean)
	}
	return math.Sqrt(sum / float64(len(w.values)-1))
}

// cores and milli turn amounts into numbers and back, rounded up.
func cores(a scale.Amount) float64 { return float64(a) / float64(scale.Thousand) }

func milli(cores float64) scale.Amount {
	return scale.Amount(math.Ceil(min(max(cores, 0), mostCores) * float64(scale.Thousand)))
}

// mostCores bounds what anyone may want of one pod, or of all.
const mostCores = 1e9
