package learner

import (
	"time"

	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/scale"
)

// Learner keeps the history of one workload by a plan.
type Learner struct {
	Plan
	History *history.History
	// Seen is what the last look saw, where room is weighed by prices.
	Seen Seen
}

// Seen is what was asked of all pods when they were last measured.
type Seen struct {
	// At is when that was; zero is that nothing was measured. It was seen so long
	// after.
	At    time.Time
	Delay time.Duration
	// Window is what it is the mean of.
	Window time.Duration
	Used   scale.Amount
	// Room is what nodes had left, in thousandths of the requests; negative where
	// nobody saw it.
	Room scale.Amount
}

// New returns a learner that knows nothing yet.
func New(p Plan) (*Learner, error) {
	h, err := history.New(p.Settings)
	if err != nil {
		return nil, err
	}
	return &Learner{Plan: p, History: h}, nil
}

// Learn adds an observation to the history, and the history's summary to the
// observation. Recommendations that the observation brings along stay: a VPA
// object knows better.
//
// Under are the target utilizations in force, which the pods were seen under.
func (l *Learner) Learn(obs *scale.Observation, under []scale.LearnedTarget) {
	h := l.History
	h.Bumps = l.Bumps
	// What someone else recommends is what targets follow from as well.
	peaks := l.Targets && obs.Recommended == nil
	if peaks {
		h.Peaks.Under(obs.At, under)
	}
	if l.Recommend || l.Usage {
		h.Observe(*obs)
	} else {
		h.ObserveReadiness(*obs)
	}
	if l.Bounds {
		obs.Learned = h.Learned(obs.At, h.Ahead(l.Sync), l.Factors)
	}
	if l.Ahead {
		l.startAhead(obs)
	}
	if l.Headroom && len(l.Places) > 0 {
		l.headroom(obs)
	}
	if peaks {
		l.peaks(obs, under)
	}
	if l.Recommend && obs.Recommended == nil {
		if obs.Recommended = h.Usage.Recommend(obs.At, l.Estimator, obs.Target.Containers); len(obs.Recommended) == 0 {
			obs.Unrecommended = l.gathering(obs.Target.Containers)
		}
	}
}

// startAhead tells how long before a schedule starts its pods have to be started.
// Until one was seen to start, nobody knows.
func (l *Learner) startAhead(obs *scale.Observation) {
	if l.History.StartUp.Count() == 0 {
		return
	}
	if obs.Learned == nil {
		obs.Learned = &scale.Learned{}
	}
	obs.Learned.StartUp = l.History.Ahead(l.Sync)
}

// peaks tells how busy the pods were under their targets.
func (l *Learner) peaks(obs *scale.Observation, under []scale.LearnedTarget) {
	for _, t := range under {
		peak, known := l.History.Peaks.Of(obs.At, t.Container, t.Resource, l.Estimator)
		if !known {
			peak = scale.LearnedPeak{Container: t.Container, Resource: t.Resource, Under: t.Percent}
		}
		if obs.Learned == nil {
			obs.Learned = &scale.Learned{}
		}
		obs.Learned.Peaks = append(obs.Learned.Peaks, peak)
	}
}

// headroom follows the growth of the usage. What saturated pods use says
// nothing about what is asked for, so it teaches nothing. There is one sketch of
// growth: where metrics look at several containers, it follows the first.
func (l *Learner) headroom(obs *scale.Observation) {
	use := l.usageOf(obs)
	if !use.known {
		return
	}
	h := l.History
	if l.Priced {
		l.priced(obs, &use)
		return
	}
	use.asOf(obs, h.Growth)
	h.Growth.NoteLook(obs.At, use.look())
	if l.InPlace {
		h.ObserveResizes(obs)
	}
	within := l.reaction(use.delay)
	if !use.saturated {
		h.Growth.Observe(obs.At, use.total, within)
	}
	out, known := h.Growth.Outlook(use.total, l.Risk, within)
	if !known && l.MaxPercent == 0 {
		return
	}
	if obs.Learned == nil {
		obs.Learned = &scale.Learned{}
	}
	obs.Learned.Headroom = append(obs.Learned.Headroom, scale.LearnedHeadroom{
		Container: l.Places[0], Resource: scale.CPU, Expected: max(out.Expected, 1), Headroom: l.bounded(out, known),
		Full: use.saturated, Ceiling: use.ceiling, PerPod: use.most, Within: within, Risk: l.Risk,
	})
}

// reaction is how long it takes until a rise in demand is met. Pods that are
// resized in place need not be waited for.
func (l *Learner) reaction(delay time.Duration) time.Duration {
	if l.InPlace {
		return l.History.InPlaceReaction(delay, l.Sync)
	}
	return l.History.Reaction(delay, l.Sync)
}

// bounded keeps the room within its bounds. Until it is known, it is the most.
func (l *Learner) bounded(out history.Outlook, known bool) scale.Amount {
	if l.MaxPercent == 0 {
		return max(out.Headroom, out.Expected.Share(int64(l.MinPercent), 100))
	}
	most := out.Expected.Share(int64(l.MaxPercent), 100)
	if !known {
		return most
	}
	return min(max(out.Headroom, out.Expected.Share(int64(l.MinPercent), 100)), most)
}
