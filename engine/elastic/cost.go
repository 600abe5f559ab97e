package elastic

import (
	"math/bits"

	"github.com/tidemark/tidemark/scale"
)

// Prices are what a total of cpu is weighed with: a core-hour that pods request,
// or use beyond that, costs 1.
type Prices struct {
	// Unserved and Late are what a core-hour of lost work costs, and of work that
	// was done late, in thousandths.
	Unserved, Late int64
	// Start is what it costs to start or to stop a pod, and Resize to resize one,
	// in core-seconds.
	Start, Resize scale.Amount
}

// Outlook is what may be by the time a decision takes effect. The chances of each
// list come to a million.
type Outlook struct {
	// Demand is what may be asked for.
	Demand []scale.Likely
	// Room is what nodes may have left, by the requests; none is that nothing is
	// left.
	Room []scale.Likely
	// PerPod is the most that the application of a pod can use, 0 for no bound.
	PerPod scale.Amount
}

// What is assumed of every application, because nobody measures it. Each costs a
// few points of what is gained where it is wrong by a factor of two
// (docs/benchmarks.md).
const (
	// uneven is by how much the busiest third of the pods has more to do than the
	// mean, and the calmest less, in thousandths: a standard deviation of 7 %.
	uneven = 86
	// lateAfter is how many times as long as a core works on a request it may wait
	// before it is late: a quarter of a second for one of 10 ms.
	lateAfter = 25
	// mostAmount and mostRoom keep sums within 64 bits: millions of cores, and a
	// hundred times what is requested.
	mostAmount scale.Amount = 1 << 32
	mostRoom   scale.Amount = 100 * scale.Thousand
)

// cost is what a total is likely to cost: used is what is used of what is billed,
// idle the rest, and risk what lost and late work costs. It is in millionths of a
// thousandth of a core: prices are weighed that are far apart.
type cost struct{ used, idle, risk scale.Amount }

// all is the whole of it.
func (c cost) all() scale.Amount { return c.used.Add(c.idle).Add(c.risk) }

// million is what chances come to.
const million = 1_000_000

// of is what it is likely to cost that so many pods request a total.
func (p *Prices) of(total scale.Amount, pods int32, o *loaded) cost {
	return p.upTo(scale.MaxAmount, total, pods, o)
}

// upTo is the same, as long as it is no more than something: what costs more is not
// looked at to its end, because whoever looks for the cheapest does not want it.
func (p *Prices) upTo(most, total scale.Amount, pods int32, o *loaded) (out cost) {
	total, pods = min(total, mostAmount), max(pods, 1)
	nothing := [1]scale.Likely{{Chance: million}}
	rooms := o.Room
	if len(rooms) == 0 {
		rooms = nothing[:]
	}
	bound := scale.MaxAmount
	if o.PerPod > 0 {
		bound = o.PerPod.Times(int64(pods))
	}
	// What is billed takes a few products, and risks take divisions.
	for _, room := range rooms {
		used, idle := billed(int64(total), able(total, room.Amount, bound), o.Demand)
		out.used += used.Share(room.Chance, million)
		out.idle += idle.Share(room.Chance, million)
	}
	for _, room := range rooms {
		spare := most - out.all()
		if spare < 0 {
			return out
		}
		// What is more than enough is too much, even by the chance of the room alone.
		enough := scale.MaxAmount
		if spare < scale.MaxAmount/million && room.Chance > 0 {
			enough = spare*million/scale.Amount(room.Chance) + 1
		}
		risk := p.risks(able(total, room.Amount, bound), int64(pods), o.loads, enough)
		out.risk = out.risk.Add(risk.Share(room.Chance, million))
	}
	return out
}

// able is what pods can use that request a total, where nodes have so much left, but
// not more than a bound.
func able(total, room, bound scale.Amount) int64 {
	return min(int64(total)+int64(total)*int64(min(room, mostRoom))/1000, int64(bound))
}

// billed is what is used and what is idle where pods request so much and can use so
// much at most.
func billed(total, most int64, demand []scale.Likely) (used, idle scale.Amount) {
	for _, d := range demand {
		served := min(int64(min(d.Amount, mostAmount)), most)
		used += scale.Amount(served * d.Chance)
		idle += scale.Amount(max(total-served, 0) * d.Chance)
	}
	return used, idle
}

// risks is what lost and late work costs where pods can use so much at most, as long
// as it is not more than enough. The largest demands, which come last, cost most of
// it, and are looked at first.
func (p *Prices) risks(most, pods int64, loads []load, enough scale.Amount) (out scale.Amount) {
	calm := pods * 1000 * mostDecay / (lateAfter * decaySteps)
	all := p.crewOf(most, pods)
	for i := len(loads) - 1; i >= 0 && out <= enough; i-- {
		if l := &loads[i]; most-l.thirds[2] < calm {
			out = out.Add(perThousand(all.risk(l), l.chance))
		}
	}
	return out
}

// perThousand is a × by / 1000, rounded up and saturated. It is Share with a divisor
// that the compiler knows, which takes a product.
func perThousand(a, by int64) scale.Amount {
	if hi, lo := bits.Mul64(uint64(a), uint64(by)); hi == 0 && lo <= uint64(scale.MaxAmount)-999 {
		return scale.Amount((lo + 999) / 1000)
	}
	return scale.Amount(a).Share(by, 1000)
}

// crew are all pods together, of which it is known what they can do, and what work
// costs that they lose or do late. What is divided by that, and by their number, is
// divided often.
type crew struct {
	most           int64
	byMost, byPod  divisor
	unserved, late int64
	// eighths is the price of late work in eighths.
	eighths uint64
}

func (p *Prices) crewOf(most, pods int64) crew {
	return crew{
		most: most, byMost: divisorOf(max(most, 1)), byPod: divisorOf(1000 * pods),
		unserved: p.Unserved, late: p.Late, eighths: uint64(p.Late / 1000 * 125),
	}
}

// risk is what lost and late work costs under a load, in millionths of a core.
func (c *crew) risk(l *load) int64 {
	// The sum is three times that, since each third does not have all pods.
	sum := uint64(0)
	for _, asked := range &l.thirds {
		if asked >= c.most {
			// What is done has waited.
			sum += uint64((asked-c.most)*c.unserved + c.most*c.late)
			continue
		}
		// Where requests come at random and each takes its time, a share of them
		// is late that falls by e with each request that could be done as well.
		falls := decay(c.byPod.into(uint64(c.most-asked) * lateAfter * decaySteps))
		share := c.byMost.into(uint64(asked)*one) * falls / one
		// By parts, so that neither small amounts are lost nor large ones overflow.
		sum += uint64(asked) * share / 64 * c.eighths / (one / 64 / 8)
	}
	return int64(sum) / 3
}

// divisor divides by the same number again and again, with products: a division
// takes several times as long, and a decision needs thousands of them.
type divisor struct {
	by uint64
	// inverse is 2⁶⁴ by the number, rounded up; for 1 that is too large, and 0.
	inverse uint64
}

// divisorOf returns one for a number above 0.
func divisorOf(by int64) divisor {
	return divisor{uint64(by), ^uint64(0)/uint64(by) + 1}
}

// into is a number divided by the divisor, rounded down. Below the inverse the product
// exceeds the quotient by less than what is missing to the next whole number.
func (d *divisor) into(n uint64) uint64 {
	if n >= d.inverse {
		return n / d.by
	}
	q, _ := bits.Mul64(n, d.inverse)
	return q
}

const (
	// decaySteps is how many steps an exponent of one has, mostDecay how many are
	// looked at.
	decaySteps = 8
	mostDecay  = 96
	one        = 1 << 16
)

// decay is e to the power of minus so many eighths, in 65536ths.
func decay(eighths uint64) uint64 { return decayed[min(eighths, mostDecay)] }

var decayed = [mostDecay + 1]uint64{
	65536, 57835, 51039, 45042, 39750, 35079, 30957, 27319, 24109, 21276, 18776, 16570, 14623, 12905, 11388, 10050,
	8869, 7827, 6907, 6096, 5380, 4747, 4190, 3697, 3263, 2879, 2541, 2243, 1979, 1746, 1541, 1360,
	1200, 1059, 935, 825, 728, 642, 567, 500, 442, 390, 344, 303, 268, 236, 209, 184,
	162, 143, 127, 112, 99, 87, 77, 68, 60, 53, 47, 41, 36, 32, 28, 25,
	22, 19, 17, 15, 13, 12, 10, 9, 8, 7, 6, 6, 5, 4, 4, 3,
	3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0,
	0,
}
