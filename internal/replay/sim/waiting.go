package sim

import (
	"math/bits"
	"time"

	"github.com/tidemark/tidemark/internal/replay/wait"
	"github.com/tidemark/tidemark/scale"
)

// Waiting is how work waits at a pod: requests come at random, and a pod does one
// after the other.
type Waiting struct {
	// Most is how long a request may wait; what would wait longer is dropped. Zero
	// is that nothing waits: a pod does what it can, and drops the rest.
	Most time.Duration
	// Service is how long a core works on a request, on average, and Fixed is set
	// where each takes as long.
	Service time.Duration
	Fixed   bool
	// Late is from which wait on a request is late.
	Late time.Duration
}

// third is a part of the ready pods that have as much to do as each other.
type third struct {
	pods int64
	// load is the work that comes each second, capacity what they can do of it,
	// and requests what they request.
	load, capacity, requests scale.Amount
}

const (
	// mostUneven leaves every pod something to do.
	mostUneven = scale.Parts / 2
	// apart is how far the outer thirds are from the middle, by the standard
	// deviation of all: the root of 3/2.
	apart = 1_224_744_871
)

// thirds divides the ready pods. A third have less to do than the mean and a third
// more, as near as their number allows; one pod alone has all of it.
func (p *Plant) thirds(demand scale.Amount, by *serving) (out [3]third) {
	n := int64(by.ready)
	all := third{pods: n, load: demand, capacity: by.capacity, requests: by.requests}
	outer := (n + 1) / 3
	if p.settings.Uneven == 0 || outer == 0 {
		out[1] = all
		return out
	}
	off := p.settings.Uneven * apart / scale.Parts
	out[0], out[2] = all.share(outer, scale.Parts-off), all.share(outer, scale.Parts+off)
	out[2].load = min(out[2].load, all.load-out[0].load)
	// What rounding leaves belongs to the middle, or where there is none to the
	// busiest.
	rest := third{
		pods: n - 2*outer, load: all.load - out[0].load - out[2].load,
		capacity: all.capacity - out[0].capacity - out[2].capacity, requests: all.requests - out[0].requests - out[2].requests,
	}
	if rest.pods > 0 {
		out[1] = rest
		return out
	}
	out[2].load, out[2].capacity, out[2].requests = out[2].load+rest.load, out[2].capacity+rest.capacity, out[2].requests+rest.requests
	return out
}

// share is what some of the pods are of all, with a load so far off the mean.
func (t *third) share(pods, load int64) third {
	return third{
		pods:     pods,
		load:     nearestShare(t.load, pods*load, t.pods*scale.Parts),
		capacity: nearestShare(t.capacity, pods, t.pods), requests: nearestShare(t.requests, pods, t.pods),
	}
}

// nearestShare is a share below one, rounded to the nearest thousandth.
func nearestShare(a scale.Amount, by, of int64) scale.Amount {
	hi, lo := bits.Mul64(uint64(max(a, 0)), uint64(by))
	lo, carry := bits.Add64(lo, uint64(of/2), 0)
	quotient, _ := bits.Div64(hi+carry, lo, uint64(of))
	return scale.Amount(quotient)
}

// atPods tells whether pods have each a load and a queue of their own. Otherwise
// they are as one.
func (s *Settings) atPods() bool { return s.Uneven > 0 || s.Waiting.Most > 0 }

// flowed is what came of the work of a time.
type flowed struct {
	use
	served, dropped, late, waited, billed Work
	// short is set where pods had more to do than they could.
	short bool
	// waits are the loads under which work was done.
	waits [3]waited
}

// waited is work that was done under a load.
type waited struct {
	load   wait.Load
	served Work
}

// pass lets work come for a time in which nothing changes.
func (p *Plant) pass(demand scale.Amount, by *serving, d time.Duration, out *flowed) {
	if p.settings.atPods() {
		p.passAtPods(demand, by, d, out)
		return
	}
	*out = flowed{use: p.asOne(demand, by)}
	passed := p.queue.pass(demand, by.capacity, d)
	out.served, out.dropped, out.waited = passed.served, passed.dropped, passed.waited
	out.short = passed.dropped != Work{}
	out.billed = p.bill(by.requests, out.served, d)
}

// asOne is how pods are used that share one load and one queue.
func (p *Plant) asOne(demand scale.Amount, by *serving) use {
	out := p.beginning(demand, by)
	out.served = p.queue.serves(demand, out.capacity)
	out.perPod = p.workload.share(out.served, p.now)
	out.calm, out.busy = out.perPod, out.perPod
	return out
}

// beginning is a use of which it is not known yet what is done.
func (p *Plant) beginning(demand scale.Amount, by *serving) use {
	return use{from: p.lasted, demand: demand, capacity: by.capacity, ready: scale.Amount(by.ready), room: p.roomNow()}
}

// passAtPods lets work come to pods of which each has its own load and queue.
// Pods of different sizes are loaded in proportion to what they can do.
func (p *Plant) passAtPods(demand scale.Amount, by *serving, d time.Duration, out *flowed) {
	*out = flowed{use: p.beginning(demand, by)}
	var thirds [3]third
	if by.ready > 0 {
		thirds = p.thirds(demand, by)
	} else {
		out.dropped, out.short = Work{}.Plus(demand, d), demand > 0
	}
	var used [3]scale.Amount
	pods := scale.Amount(0)
	for i := range thirds {
		t := &thirds[i]
		if t.pods == 0 {
			// What waited at pods that are gone is lost.
			out.dropped, p.held[i] = out.dropped.add(Work{Lo: p.held[i]}), 0
			continue
		}
		one := p.wait(t, &p.held[i], d)
		out.short = out.short || t.load > t.capacity
		out.served, out.dropped, out.late = out.served.add(one.served), out.dropped.add(one.dropped), out.late.add(one.late)
		out.waits[i] = waited{one.load, one.served}
		out.billed = out.billed.add(p.bill(t.requests, one.served, d))
		used[i] = one.served.over(d) / scale.Amount(t.pods)
		pods += scale.Amount(t.pods)
	}
	out.calm, out.perPod, out.busy = used[0], used[1], used[2]
	out.use.served = out.served.over(d)
	if thirds[1].pods == 0 && pods > 0 {
		out.perPod = out.use.served / pods
	}
	if thirds[0].pods == 0 {
		// A pod that is alone now may be one of several when it is looked at.
		out.calm, out.busy = out.perPod, out.perPod
	}
}

// done is what came of the work of a third.
type done struct {
	served, dropped, late Work
	load                  wait.Load
}

// wait lets the work of a third come, of which some is held.
func (p *Plant) wait(t *third, held *uint64, d time.Duration) done {
	w := &p.settings.Waiting
	if w.Most == 0 {
		can := min(t.load, t.capacity)
		return done{served: Work{}.Plus(can, d), dropped: Work{}.Plus(t.load-can, d)}
	}
	model := w.model()
	load := model.LoadOf(t.load, t.capacity, t.capacity/scale.Amount(t.pods))
	// What chance delays and drops grows until pods are full. Beyond that it is the
	// queue that grows, and overflows once it is full.
	bounded := load
	bounded.Busy = min(load.Busy, scale.Parts)
	line := model.LineAt(bounded)
	chance := luck{lost: line.Lost(), late: line.LongerThan(p.late)}
	var out done
	if *held == 0 && t.load <= t.capacity {
		arrived := Work{}.Plus(t.load, d)
		out.dropped = arrived.part(chance.lost, scale.Parts)
		out.served = arrived.minus(out.dropped)
		out.late = out.served.part(chance.late, scale.Parts)
	} else {
		out = w.overflow(t, held, chance, d)
	}
	out.load = load
	return out
}

// luck is what chance alone drops and delays, in billionths.
type luck struct{ lost, late int64 }

// overflow lets work come to a queue that is not empty, or will not be.
func (w *Waiting) overflow(t *third, held *uint64, chance luck, d time.Duration) done {
	q := newQueue(t.capacity.Share(int64(w.Most), int64(time.Second)))
	q.waiting = *held
	lost := nearestShare(t.load, chance.lost, scale.Parts)
	out := done{dropped: Work{}.Plus(lost, d)}
	if q.waiting > q.most {
		out.dropped, q.waiting = out.dropped.add(Work{Lo: q.waiting - q.most}), q.most
	}
	for left := d; left > 0; {
		step := left
		if until, ok := q.changes(t.load-lost, t.capacity); ok {
			step = min(step, until)
		}
		before := q.waiting
		passed := q.pass(t.load-lost, t.capacity, step)
		late := max(chance.late, beyond(Work{}.Plus(t.capacity, w.Late), before, q.waiting))
		out.served, out.dropped = out.served.add(passed.served), out.dropped.add(passed.dropped)
		out.late = out.late.add(passed.served.part(late, scale.Parts))
		left -= step
	}
	*held = q.waiting
	return out
}

// beyond is the share of a time in which a queue is longer than a bound, in
// billionths, while it grows or shrinks evenly.
func beyond(bound Work, before, after uint64) int64 {
	least, most := min(before, after), max(before, after)
	switch {
	case !bound.less(Work{Lo: most}):
		return 0
	case bound.less(Work{Lo: least}) || most == least:
		return scale.Parts
	default:
		return Work{Lo: most}.minus(bound).ratio(Work{Lo: most - least})
	}
}

func (w *Waiting) model() wait.Model {
	return wait.Model{Service: w.Service, Fixed: w.Fixed, Most: w.Most}
}

// bill is what pods cost that request so much and did so much: the larger of both,
// and what is kept free for them.
func (p *Plant) bill(requests scale.Amount, served Work, d time.Duration) Work {
	if r := p.settings.Reserve; r > 0 {
		requests = requests.Share(scale.Parts+r, scale.Parts)
	}
	if requested := (Work{}).Plus(requests, d); served.less(requested) {
		return requested
	}
	return served
}
