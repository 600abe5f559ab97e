package sim

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Plant is a workload under a demand. The ready pods share the demand, evenly or
// nearly so; what is beyond their capacity waits, as far as there is a queue, or is
// dropped.
type Plant struct {
	settings Settings
	workload *Workload
	demand   cursor
	events   []Event
	over     over
	queue    queue
	// neighbors are who else is on the nodes; nil where nobody is.
	neighbors *neighbors
	// held is what waits at the pods of each third, in thousandths of a core times
	// nanoseconds.
	held [3]uint64
	// late is the wait from which on a request is late, as a share of the longest.
	late  int64
	meter meter
	now   time.Time
	// lasted is how long it is since the start of the demand.
	lasted time.Duration
	// past is how the pods were used, from as long ago as metrics look back.
	past []use
	// starving is for how long work has been dropped without a pause.
	starving time.Duration
	score    Score

	// pods and containers are lent to one observation after the other, and
	// listed is the version of the workload that they show.
	listed     int
	settled    settled
	pods       []scale.Pod
	containers []scale.PodContainer
	samples    []scale.Sample
	room       scale.Room
	// passed is lent to one time in which nothing changes after the other.
	passed flowed
	// each is what a pod of the mean size can do.
	each scale.Amount
}

// use is what each ready pod used, from a moment on, and what came and was served. The
// moment is told by how long it is after the start of the demand: replays compare many
// of them.
type use struct {
	from                   time.Duration
	perPod, demand, served scale.Amount
	// calm and busy are what a pod used that has less to do than the others, and
	// one that has more, where their load is uneven.
	calm, busy scale.Amount
	// capacity and ready are those of the pods that serve.
	capacity, ready scale.Amount
	// room is what the nodes left beyond the requests, in thousandths of them.
	room scale.Amount
}

// same tells whether another use goes on with this one.
func (u *use) same(other *use) bool {
	went := *other
	went.from = u.from
	return *u == went
}

// NewPlant returns a plant at the first moment of its demand, whose pods have
// been running for a day.
func NewPlant(s Settings) *Plant {
	first := s.firstPods()
	w := NewWorkload(s.Demand.Start(), first, first)
	w.namespace = s.Namespace
	w.Requests, w.Limits, w.StartUp, w.Container = s.Requests, s.Limits, s.StartUp, s.Container
	w.jitter = s.jitter
	w.Ceiling, w.Boost = s.Ceiling, s.Boost
	w.ResizeInRounds(s.Resize, s.resizeLuck)
	if s.Crashes > 0 {
		w.fails = func(pod, restarts int) bool { return s.happens(s.Crashes, drawCrash, uint64(pod), uint64(restarts)) }
	}
	w.settleOnNodes(newNodes(s.Nodes))
	for i := range w.pods {
		if s.Age > 0 {
			w.pods[i].startedAgo(s.Demand.Start(), s.Age)
		}
		// Nobody knows when they were restarted last; a day of leaking at once
		// would kill all of them together.
		w.pods[i].leaksFrom = s.Demand.Start()
	}
	p := &Plant{settings: s, workload: w, demand: cursor{Demand: s.Demand}, events: s.Events, queue: newQueue(s.Queue), now: s.Demand.Start()}
	if s.Waiting.Most > 0 {
		model := s.Waiting.model()
		p.late = model.Share(s.Waiting.Late)
	}
	p.neighbors = newNeighbors(&s)
	w.shares = p.neighbors != nil
	p.shareNodes()
	return p
}

// Now is the present moment.
func (p *Plant) Now() time.Time { return p.now }

// Size is the workload's present size.
func (p *Plant) Size() scale.Size {
	t := p.workload.Target()
	return scale.Size{Replicas: t.SpecReplicas, Containers: t.Containers}
}

// advance lets time pass. Between two events, such as a change of demand or a
// pod that becomes ready, all flows are constant, so the sums are exact.
func (p *Plant) advance(to time.Time) {
	for p.now.Before(to) {
		p.happen()
		until := p.nextEvent(to)
		passes := until.Sub(p.now)
		p.flow(passes)
		p.now, p.lasted = until, p.lasted+passes
	}
	p.happen()
}

// happen lets happen what is due now.
func (p *Plant) happen() {
	p.demand.moveTo(p.now)
	p.shareNodes()
	p.eventsDue()
	p.workload.settle(p.now)
	p.overload()
	p.killOutOfMemory()
}

// nextEvent is when a flow changes next, but not after a moment.
func (p *Plant) nextEvent(until time.Time) time.Time {
	if change := p.demand.change(); change.After(p.now) && change.Before(until) {
		until = change
	}
	if len(p.events) > 0 && p.events[0].At.Before(until) {
		until = p.events[0].At
	}
	if p.neighbors != nil && p.neighbors.changes.Before(until) {
		until = p.neighbors.changes
	}
	if next, ok := p.workload.next(p.now); ok && next.Before(until) {
		until = next
	}
	if next, ok := p.nextOutOfMemory(); ok && next.Before(until) {
		until = next
	}
	if p.queue.most > 0 {
		if after, ok := p.queue.changes(p.demand.value(), p.workload.capacity(p.now)); ok && p.now.Add(after).Before(until) {
			until = p.now.Add(after)
		}
	}
	return until
}

// flow adds up what happens while nothing changes.
func (p *Plant) flow(d time.Duration) {
	w, s, demand := p.workload, &p.score, p.demand.value()
	by, passed := w.serves(p.now), &p.passed
	p.pass(demand, &by, d, passed)
	if n := len(p.past); n == 0 || !p.past[n-1].same(&passed.use) {
		p.past = append(p.past, passed.use)
	}
	s.Demand = s.Demand.Plus(demand, d)
	s.Served = s.Served.add(passed.served)
	s.Unserved = s.Unserved.add(passed.dropped)
	s.Late = s.Late.add(passed.late)
	s.Waited = s.Waited.add(passed.waited)
	for i := range passed.waits {
		p.meter.waits.add(passed.waits[i])
	}
	if waiting := (Work{Lo: p.queue.waiting}); s.LongestQueue.less(waiting) {
		s.LongestQueue = waiting
	}
	if passed.short {
		s.Starved += d
		p.starving += d
		s.LongestStarved = max(s.LongestStarved, p.starving)
	} else {
		p.starving = 0
	}
	if w.pending() {
		s.Pending += d
	}
	cpu, memory := w.requested()
	s.Cores = s.Cores.Plus(cpu, d)
	s.Memory = s.Memory.Plus(memory, d)
	s.Billed = s.Billed.add(passed.billed).add(p.bill(cpu-by.requests, Work{}, d))
	p.meter.add(&by, demand, passed.served, d)
	s.Length += d
	p.forgetUse(p.lasted - p.settings.lookBack())
}

// forgetUse forgets how pods were used before a moment. What is left moves to the
// front, so that the same memory serves the whole run.
func (p *Plant) forgetUse(before time.Duration) {
	old := 0
	for old+1 < len(p.past) && p.past[old+1].from <= before {
		old++
	}
	if old > 0 {
		p.past = append(p.past[:0], p.past[old:]...)
	}
}

// present is how the pods are used now.
func (p *Plant) present() use {
	demand, by := p.demand.value(), p.workload.serves(p.now)
	if p.settings.atPods() {
		held := p.held
		p.passAtPods(demand, &by, time.Millisecond, &p.passed)
		p.held = held
		return p.passed.use
	}
	return p.asOne(demand, &by)
}

// apply carries a decision out.
func (p *Plant) apply(want scale.Size) {
	w := p.workload
	count, size := w.Replicas(), w.wanted()
	want.Replicas = min(want.Replicas, MaxPods)
	w.Apply(p.now, want)
	p.score.PodStarts += int64(max(w.Replicas()-count, 0))
	p.score.PodStops += int64(max(count-w.Replicas(), 0))
	if w.Replicas() != count || w.wanted() != size {
		p.score.Changes++
	}
}

// forget begins the score anew. What waits counts as arriving now.
func (p *Plant) forget() {
	p.score, p.meter = Score{Demand: p.waiting()}, meter{}
	p.workload.restarts, p.workload.resizes, p.starving = 0, 0, 0
}

// finish is the score once the demand is over.
func (p *Plant) finish() Score {
	s := p.score
	s.Restarts, s.PodResizes = p.workload.restarts, p.workload.resizes
	p.meter.into(&s, &p.settings)
	s.Unserved = s.Unserved.add(p.waiting())
	return s
}

// waiting is all the work that waits now.
func (p *Plant) waiting() Work {
	sum := Work{Lo: p.queue.waiting}
	for _, held := range p.held {
		sum = sum.add(Work{Lo: held})
	}
	return sum
}
