package replay

import (
	"math/big"
	"time"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Prices are what the measure adds to the core-hours that are billed.
type Prices struct {
	// Unserved and Late are the core-hours that a core-hour of work costs which
	// was not done, and which was done late, in billionths.
	Unserved, Late int64
	// Start is what it costs to start or to stop a pod, and Resize to resize one,
	// in core-seconds.
	Start, Resize scale.Amount
}

// UsualPrices are those where nobody states others: lost work costs fifty times the
// machine that would have done it, late work five times. A pod that starts or stops
// costs half a minute of a core, a 120th of a core-hour, and one that is resized a
// fifth of that.
func UsualPrices() Prices {
	return Prices{Unserved: 50 * scale.Parts, Late: 5 * scale.Parts, Start: 30 * scale.Thousand, Resize: 6 * scale.Thousand}
}

// checkPrices refuses prices that cannot be.
func (p *Plant) checkPrices(faults *fault.List) {
	if p.PriceCPU < 0 || p.PriceMemory < 0 {
		faults.Add("", "PriceCPU and PriceMemory must not be negative")
	}
	m := p.Prices
	for _, f := range []struct {
		name  fault.Path
		price int64
	}{
		{"Prices.Unserved", m.Unserved}, {"Prices.Late", m.Late}, {"Prices.Start", int64(m.Start)}, {"Prices.Resize", int64(m.Resize)},
	} {
		if f.price < 0 {
			faults.Add(f.name, "must not be negative")
		}
	}
	if p.Measured && m.Unserved >= 0 && m.Unserved < scale.Parts {
		faults.Add("Prices.Unserved", "must be at least 1: otherwise it would pay to do no work at all")
	}
}

// cost is an exact sum of core-hours: in billionths of a thousandth of a core
// over a nanosecond.
type cost struct{ *big.Int }

// priced is a work that costs a price, in billionths.
func priced(w sim.Work, price int64) *big.Int { return new(big.Int).Mul(integer(w), big.NewInt(price)) }

// total is T: what is billed, and what everything else costs. A container that is
// started again, as by an eviction that resizes a pod, is stopped and started.
func (p *Prices) total(s sim.Score) cost {
	sum := priced(s.Billed, scale.Parts)
	sum.Add(sum, priced(s.Unserved, p.Unserved))
	sum.Add(sum, priced(s.Late, p.Late))
	second := big.NewInt(int64(time.Second))
	for _, o := range []struct {
		times int64
		price scale.Amount
	}{{s.PodStarts, p.Start}, {s.PodStops, p.Start}, {2 * s.Restarts, p.Start}, {s.PodResizes, p.Resize}} {
		each := priced(sim.Work{Lo: uint64(o.price)}, scale.Parts)
		sum.Add(sum, each.Mul(each, second).Mul(each, big.NewInt(o.times)))
	}
	return cost{sum}
}

// least is what a run costs at least, by its score so far and the work that comes in
// all: the rest is done, and billed, or lost.
func (p *Prices) least(s sim.Score, comes sim.Work) cost {
	sum := p.total(s)
	if rest := new(big.Int).Sub(integer(comes), integer(s.Demand)); rest.Sign() > 0 {
		sum.Add(sum.Int, rest.Mul(rest, big.NewInt(min(p.Unserved, scale.Parts))))
	}
	return sum
}

// workCost is what a work costs at the price of a core.
func workCost(w sim.Work) cost { return cost{priced(w, scale.Parts)} }

// hours is a cost in core-hours.
func (c cost) hours() float64 {
	hour := new(big.Int).Mul(big.NewInt(perCore*scale.Parts), big.NewInt(int64(time.Hour)))
	return quotient(c.Int, hour)
}

// gain is G: of what lies between a rival and the demand itself, the share that
// someone gains. Where the rival is nearly as cheap as the demand, anything is a
// large share of nearly nothing: so at least a twentieth of the demand counts.
func gain(rival, own, demand cost) float64 {
	between := new(big.Int).Sub(rival.Int, demand.Int)
	between.Mul(between, big.NewInt(20))
	if between.Cmp(demand.Int) < 0 {
		between.Set(demand.Int)
	}
	if between.Sign() == 0 {
		return 0
	}
	gained := new(big.Int).Sub(rival.Int, own.Int)
	return quotient(gained.Mul(gained, big.NewInt(20)), between)
}
