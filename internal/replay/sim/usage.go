package sim

import (
	"time"

	"github.com/tidemark/tidemark/internal/seeded"
	"github.com/tidemark/tidemark/scale"
)

// Usage is what the ready pods did over a time, on average.
type Usage struct {
	// At is the end of that time.
	At time.Time
	// PerPod is what each ready pod used, Served what they did together, and
	// Arrived the work that came in, done or not.
	PerPod, Served, Arrived scale.Amount
}

func (u use) usage(at time.Time) Usage {
	return Usage{At: at, PerPod: u.perPod, Served: u.served, Arrived: u.demand}
}

// Ready is how many pods serve now.
func (p *Plant) Ready() int32 { return p.workload.Ready(p.now) }

// Short is how many of the pods that serve have less than was decided, because a
// resize takes its time or does not come.
func (p *Plant) Short() int32 {
	w, n := p.workload, int32(0)
	if w.resizer.olds == 0 {
		return 0
	}
	for i := range w.pods {
		if one := &w.pods[i]; one.old != nil && one.ready(p.now) {
			if grows, _ := one.old.changes(w.wanted()); grows {
				n++
			}
		}
	}
	return n
}

// Metered is what everyone's metrics show now: as old, as smoothed and as seldom
// as the plant's are. It reports false where the sample is lost.
func (p *Plant) Metered() (Usage, bool) {
	at := p.measuredAt()
	if p.settings.happens(p.settings.Lost, drawLostMetric, 0, uint64(at.UnixNano())) {
		return Usage{}, false
	}
	return p.measured(at).usage(at), true
}

// UsageOver is the usage from a moment until another one, for those who read the
// counters of pods themselves. It goes back as far as Settings.Recall allows.
func (p *Plant) UsageOver(from, until time.Time) Usage {
	if until.After(p.now) {
		until = p.now
	}
	if len(p.past) == 0 {
		return p.present().usage(until)
	}
	return p.mean(p.since(from), p.since(until)).usage(until)
}

// PeriodLength is how long the kernel gives out cpu at once: a pod that has used
// its limit is throttled until the next period.
const PeriodLength = 100 * time.Millisecond

// Period is one of the kernel's periods, as a ready pod's own counters show it.
type Period struct {
	Used      scale.Amount
	Throttled bool
}

// Periods appends the periods from a moment until another one. Work does not come
// evenly: in each of them chance, drawn by Seed, lets a pod have between nothing
// and twice its share, with a standard deviation of a third, about that of ten
// requests. What is served does not depend on it.
func (p *Plant) Periods(to []Period, from, until time.Time) []Period {
	if len(p.past) == 0 {
		return to
	}
	i := p.pastIndex(p.since(from))
	for at := from; at.Before(until); at = at.Add(PeriodLength) {
		for i+1 < len(p.past) && p.past[i+1].from <= p.since(at) {
			i++
		}
		to = append(to, p.past[i].period(seeded.Number(p.settings.Seed, drawPeriod, uint64(at.UnixNano()/int64(PeriodLength)))))
	}
	return to
}

// period is a period in which chance decides how much comes.
func (u use) period(chance uint64) Period {
	if u.ready == 0 {
		return Period{}
	}
	const bits, mask = 21, 1<<21 - 1
	sum := scale.Amount(chance&mask + chance>>bits&mask + chance>>(2*bits)&mask)
	// The mean of three numbers that are each spread evenly from 0 to 2.
	comes := max(u.demand, u.served).Share(int64(sum*2), 3<<bits)
	return Period{Used: min(comes, u.capacity) / u.ready, Throttled: comes > u.capacity}
}
