package learner

import (
	"time"

	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/scale"
)

const (
	// fullPercent of what pods can use is from where on they hide demand: some of
	// them are full before all are.
	fullPercent = 92
	// hidden is how many times what full pods use is taken to be asked for. The next
	// samples tell, and too little would take one more look for each doubling.
	hidden = 2
	// slow is the lead from which on full pods teach what demand may do: where pods
	// take minutes to start, a jump is hardly ever seen otherwise. What they hide lies
	// between nothing and as much again, and is taken for half of that.
	slow                         = 2 * time.Minute
	taughtByFull, ofTaughtByFull = 3, 2
	// mostRoom is the largest room that is counted on, by the requests: as much again.
	// A node that is nearly empty now may be full when others come, and then requests
	// alone say who has how much.
	mostRoom = scale.Thousand
	// surePercent is the share of cases that the explanation speaks of.
	surePercent = 98
)

// priced follows demand and room, and tells what may come of them by the time a
// decision is in force.
func (l *Learner) priced(obs *scale.Observation, u *use) {
	h := l.History
	room, most, seen := l.room(obs, u)
	look := u.look()
	if seen {
		// With the room on their nodes pods can use more than they request, but
		// seldom their whole limit.
		look.Limit = u.request.Share(int64(scale.Thousand+min(room, most)), int64(scale.Thousand))
		// A ceiling shows where pods could use more than they do, requested or not.
		look.Request, u.bursts = look.Limit, true
	}
	h.Growth.NoteLook(obs.At, look)
	u.asOf(obs, h.Growth)
	if l.InPlace {
		h.ObserveResizes(obs)
	}
	l.Seen = seenOf(obs, u, room, seen)
	lead := l.lead(obs, u)
	asked, noted := u.total, room
	if !seen {
		noted = -1
	}
	switch {
	case !u.full || !h.Demand.Known():
		h.Demand.Observe(u.at, asked, noted, lead)
	case lead >= slow:
		h.Demand.Observe(u.at, asked.Share(taughtByFull, ofTaughtByFull), noted, lead)
	}
	if u.full {
		asked = asked.Times(hidden)
	}
	if !h.Demand.Known() {
		return
	}
	expected, may := h.Demand.Of(asked, u.full)
	out := scale.LearnedHeadroom{
		Container: l.Places[0], Resource: scale.CPU, Expected: max(expected, 1), Headroom: max(sure(may)-expected, 0), Full: u.full,
		Ceiling: u.ceiling, PerPod: u.most, Within: lead, Risk: scale.Parts / 100 * (100 - surePercent), Demand: may,
	}
	if seen {
		out.Room = h.Demand.RoomFrom(min(room, most), most)
	}
	if obs.Learned == nil {
		obs.Learned = &scale.Learned{}
	}
	obs.Learned.Headroom = append(obs.Learned.Headroom, out)
}

// lead is how long after the middle of what was measured a decision is in force, on
// average until the next one is.
func (l *Learner) lead(obs *scale.Observation, u *use) time.Duration {
	takes := time.Duration(0)
	if l.InPlace && !l.restarts(obs) {
		takes, _ = l.History.Resizes.Usual()
	} else {
		takes, _ = l.History.StartUp.Usual()
	}
	window := time.Duration(0)
	if len(obs.Pods) > 0 {
		window = obs.Pods[0].UsageWindow
	}
	return min(u.delay+window/2+takes+l.Sync/2, history.MaxReaction)
}

// restarts tells whether a resize restarts the container that is looked at: then pods
// are started instead.
func (l *Learner) restarts(obs *scale.Observation) bool {
	for i := range obs.Pods {
		for j := range obs.Pods[i].Containers {
			if c := &obs.Pods[i].Containers[j]; c.Restarts && (l.Places[0] == "" || c.Name == l.Places[0]) {
				return true
			}
		}
	}
	return false
}

// room is what the nodes have left by the pods' requests, and the most that pods may
// use of it.
func (l *Learner) room(obs *scale.Observation, u *use) (room, most scale.Amount, seen bool) {
	most = mostRoom
	if u.limit > 0 && u.request > 0 {
		most = min(most, max(u.limit-u.request, 0).Share(int64(scale.Thousand), int64(u.request)))
	}
	if obs.Room == nil || obs.Room.Share < 0 || obs.At.Sub(obs.Room.At) > staleRoom {
		return 0, most, false
	}
	return obs.Room.Share, most, true
}

// staleRoom is how old a room may be that is still believed.
const staleRoom = 5 * time.Minute

// sure is what may be asked for, except in a few cases.
func sure(may []scale.Likely) scale.Amount {
	chance := int64(0)
	for _, one := range may {
		if chance += one.Chance; chance >= surePercent*10_000 {
			return one.Amount
		}
	}
	return 0
}
