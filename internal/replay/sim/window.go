package sim

import "time"

// lookBack is how long ago the oldest usage is that metrics are made of.
func (s *Settings) lookBack() time.Duration {
	return max(s.MetricDelay+s.Window+s.Resolution, s.Recall)
}

// measuredAt is when the usage was measured that arrives now. With a
// resolution, that is at even steps from the first moment on.
func (p *Plant) measuredAt() time.Time {
	at := p.now.Add(-p.settings.MetricDelay)
	if r := p.settings.Resolution; r > 0 {
		since := at.Sub(p.settings.Demand.Start().Add(p.settings.Phase))
		at = at.Add(-((since%r + r) % r))
	}
	return at
}

// measured is how the pods were used when the metrics that arrive now were
// taken: at that moment, or over the window before it. Before its first moment
// the plant was as it was then.
func (p *Plant) measured(at time.Time) use {
	if !at.Before(p.now) || len(p.past) == 0 {
		return p.present()
	}
	if p.settings.Window <= 0 {
		return p.past[p.pastIndex(p.since(at))]
	}
	return p.mean(p.since(at)-p.settings.Window, p.since(at))
}

// since is how long a moment is after the start of the demand.
func (p *Plant) since(at time.Time) time.Duration { return at.Sub(p.settings.Demand.Start()) }

// pastIndex is the use that held at a moment.
func (p *Plant) pastIndex(at time.Duration) int {
	i := 0
	for i+1 < len(p.past) && p.past[i+1].from <= at {
		i++
	}
	return i
}

// mean is the use from a moment until another, weighted by time and rounded
// down.
func (p *Plant) mean(from, until time.Duration) use {
	length := until - from
	if length <= 0 {
		return p.past[p.pastIndex(until)]
	}
	var perPod, demand, served, calm, busy, room Work
	for i := p.pastIndex(from); i < len(p.past) && (i == 0 || p.past[i].from < until); i++ {
		begin, end := p.past[i].from, until
		if i+1 < len(p.past) {
			end = min(end, p.past[i+1].from)
		}
		// The oldest use also stands for what was before it.
		if begin < from || i == 0 {
			begin = from
		}
		u, d := &p.past[i], end-begin
		perPod, demand, served = perPod.Plus(u.perPod, d), demand.Plus(u.demand, d), served.Plus(u.served, d)
		calm, busy, room = calm.Plus(u.calm, d), busy.Plus(u.busy, d), room.Plus(u.room, d)
	}
	return use{
		from: until, perPod: perPod.over(length), demand: demand.over(length), served: served.over(length),
		calm: calm.over(length), busy: busy.over(length), room: room.over(length),
	}
}
