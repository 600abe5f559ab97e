package elastic

import "github.com/tidemark/tidemark/scale"

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

// thirds are the loads of the pods by the mean, in thousandths.
var thirds = [3]int64{1000 - uneven, 1000, 1000 + uneven}

// cost is what a total is likely to cost: used is what is used of what is billed,
// idle the rest, and risk what lost and late work costs. It is in millionths of a
// thousandth of a core: prices are weighed that are far apart.
type cost struct{ used, idle, risk scale.Amount }

// all is the whole of it.
func (c cost) all() scale.Amount { return c.used.Add(c.idle).Add(c.risk) }

// million is what chances come to.
const million = 1_000_000

// of is what it is likely to cost that so many pods request a total.
func (p *Prices) of(total scale.Amount, pods int32, o *Outlook) (out cost) {
	total, pods = min(total, mostAmount), max(pods, 1)
	nothing := [1]scale.Likely{{Chance: million}}
	rooms := o.Room
	if len(rooms) == 0 {
		rooms = nothing[:]
	}
	for _, room := range rooms {
		most := int64(total) + int64(total)*int64(min(room.Amount, mostRoom))/1000
		if o.PerPod > 0 {
			most = min(most, int64(o.PerPod.Times(int64(pods))))
		}
		here := p.withRoom(int64(total), most, int64(pods), o.Demand)
		out.used += here.used.Share(room.Chance, million)
		out.idle += here.idle.Share(room.Chance, million)
		out.risk = out.risk.Add(here.risk.Share(room.Chance, million))
	}
	return out
}

// withRoom is what it costs where pods request so much and can use so much at most.
func (p *Prices) withRoom(total, most, pods int64, demand []scale.Likely) (out cost) {
	calm := pods * 1000 * mostDecay / (lateAfter * decaySteps)
	for _, d := range demand {
		asked := int64(min(d.Amount, mostAmount))
		served := min(asked, most)
		out.used += scale.Amount(served * d.Chance)
		out.idle += scale.Amount(max(total-served, 0) * d.Chance)
		if most-asked*(1000+uneven)/1000 < calm {
			out.risk = out.risk.Add(scale.Amount(p.risk(asked, most, pods)).Share(d.Chance, 1000))
		}
	}
	return out
}

// risk is what lost and late work costs where so much is asked for, and all pods
// together can do so much, in millionths of a core.
func (p *Prices) risk(asked, most, pods int64) int64 {
	sum := int64(0)
	for _, third := range thirds {
		load := asked * third / 1000
		if load >= most {
			// What is done has waited.
			sum += (load-most)*p.Unserved + most*p.Late
			continue
		}
		// Where requests come at random and each takes its time, a share of them
		// is late that falls by e with each request that could be done as well.
		share := load * one / most * decay((most-load)*lateAfter*decaySteps/(1000*pods)) / one
		// By parts, so that neither small amounts are lost nor large ones overflow.
		sum += load * share / 64 * (p.Late / 1000) * 125 / (one / 64 / 8)
	}
	return sum / int64(len(thirds))
}

const (
	// decaySteps is how many steps an exponent of one has, mostDecay how many are
	// looked at.
	decaySteps = 8
	mostDecay  = 96
	one        = 1 << 16
)

// decay is e to the power of minus so many eighths, in 65536ths.
func decay(eighths int64) int64 { return decayed[min(max(eighths, 0), mostDecay)] }

var decayed = [mostDecay + 1]int64{
	65536, 57835, 51039, 45042, 39750, 35079, 30957, 27319, 24109, 21276, 18776, 16570, 14623, 12905, 11388, 10050,
	8869, 7827, 6907, 6096, 5380, 4747, 4190, 3697, 3263, 2879, 2541, 2243, 1979, 1746, 1541, 1360,
	1200, 1059, 935, 825, 728, 642, 567, 500, 442, 390, 344, 303, 268, 236, 209, 184,
	162, 143, 127, 112, 99, 87, 77, 68, 60, 53, 47, 41, 36, 32, 28, 25,
	22, 19, 17, 15, 13, 12, 10, 9, 8, 7, 6, 6, 5, 4, 4, 3,
	3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0,
	0,
}
