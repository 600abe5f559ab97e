package rivals

import (
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// What the user guides of Amazon EC2 Auto Scaling and Application Auto Scaling say
// about predictive scaling.
const (
	awsDays    = 14
	awsRedo    = 6 * time.Hour
	awsBuffer  = 5 * time.Minute
	awsMinimum = 24 * time.Hour
)

// aws foresees the load of each hour, as AWS describes its predictive scaling: at
// least a day and at most fourteen of the past, a new forecast every six hours,
// capacity for an hour from five minutes before it begins. It only ever adds
// capacity; taking it away is left to target tracking.
//
// The model itself is not public. Here the load of an hour is the mean of the same
// hour on earlier days of the same kind, working days or weekends, where
// yesterday counts fourteen times what the day two weeks ago does; without a day of
// that kind, of all days. Target tracking is an HPA.
type aws struct {
	started time.Time
	// hours are the mean loads so far, from the oldest on.
	hours []hour
	// sum and parts are of the hour that is under way.
	sum      scale.Amount
	parts    int64
	made     time.Time
	expected map[time.Time]scale.Amount
}

type hour struct {
	at   time.Time
	load scale.Amount
}

// AWSPredictive returns predictive scaling on top of an HPA.
func AWSPredictive(s *sim.Settings, build func(sim.Learner) *sim.Autoscaler) sim.Controller {
	return newForesighted(s, &aws{}, build)
}

func (a *aws) every() time.Duration { return time.Minute }

func (a *aws) note(at time.Time, served scale.Amount) {
	if a.started.IsZero() {
		a.started = at
	}
	if of := at.Truncate(time.Hour); len(a.hours) == 0 || a.hours[len(a.hours)-1].at != of {
		a.hours = append(a.hours, hour{at: of})
		a.sum, a.parts = 0, 0
	}
	a.sum, a.parts = a.sum.Add(served), a.parts+1
	a.hours[len(a.hours)-1].load = a.sum / scale.Amount(a.parts)
	for at.Sub(a.hours[0].at) > awsDays*24*time.Hour {
		a.hours = a.hours[1:]
	}
}

func (a *aws) expect(now time.Time) scale.Amount {
	if a.started.IsZero() || now.Sub(a.started) < awsMinimum {
		return 0
	}
	if redo := now.Truncate(awsRedo); redo != a.made {
		a.made = redo
		a.expected = map[time.Time]scale.Amount{}
		for h := redo; h.Before(redo.Add(awsRedo + 2*time.Hour)); h = h.Add(time.Hour) {
			a.expected[h] = a.load(h)
		}
	}
	this := now.Truncate(time.Hour)
	return max(a.expected[this], a.expected[now.Add(awsBuffer).Truncate(time.Hour)])
}

// load foresees the load of an hour.
func (a *aws) load(of time.Time) scale.Amount {
	if load, known := a.mean(of, weekend); known {
		return load
	}
	load, _ := a.mean(of, func(time.Time) bool { return false })
	return load
}

// mean is the mean of the same hour on days that are alike, the later the heavier.
func (a *aws) mean(of time.Time, kind func(time.Time) bool) (scale.Amount, bool) {
	sum, weights := scale.Amount(0), int64(0)
	for _, h := range a.hours {
		days := int64(of.Sub(h.at) / (24 * time.Hour))
		if h.at.UTC().Hour() != of.UTC().Hour() || kind(h.at) != kind(of) || days < 1 || days > awsDays {
			continue
		}
		weight := awsDays + 1 - days
		sum, weights = sum.Add(h.load.Times(weight)), weights+weight
	}
	if weights == 0 {
		return 0, false
	}
	return sum / scale.Amount(weights), true
}

func weekend(at time.Time) bool {
	return at.UTC().Weekday() == time.Saturday || at.UTC().Weekday() == time.Sunday
}
