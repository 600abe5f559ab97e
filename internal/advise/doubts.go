package advise

import (
	"fmt"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/scale"
)

// From where on a doubt is a doubt.
const (
	week = 7 * 24 * time.Hour
	// A day is judged by, two weeks have every weekday twice.
	shortLength, usualLength = 3 * 24 * time.Hour, 2 * week
	// nearLimit is the share of its limit at which a pod is full, as the scheduler
	// takes some of it away.
	nearLimit = 0.9
	// Full pods in one of two hundred minutes hide peaks, which are what counts.
	someCensored, muchCensored = 0.005, 0.05
	someMismatch, muchMismatch = 0.10, 0.25
	someGaps, muchGaps         = 0.02, 0.20
)

// doubt says what speaks against believing a replay, and how much.
func (a *Advice) doubt(is present, past Past, o Options) {
	a.Sure = High
	a.doubtLength(past, o)
	a.doubtDemand(past)
	switch by := a.ReplayError; {
	case by != nil && *by >= someMismatch:
		a.say(pick(*by >= muchMismatch), "the replay of what runs now is %.0f %% away from what the replicas really did", *by*100)
	case by == nil && is.spec != nil:
		a.say(Medium, "what runs now could not be replayed, so nothing shows that the replay is right")
	}
	if is.spec != nil && is.from.Partial {
		a.Notes = append(a.Notes, "Prometheus knows the bounds and targets of the "+short(is.from.Kind)+" and not its behavior: the usual one was replayed")
	}
	if is.spec != nil && !is.byCPU {
		a.say(Low, "it scales by something else than cpu (%s), of which the usage of cpu says little", a.Scaled)
	}
	if past.StartUp == 0 {
		a.say(Medium, "nobody knows how long its pods take to start: %s were assumed", replay.Honest().StartUp)
	}
	if past.OOMKills > 0 {
		a.say(Medium, "%d of its containers were killed for their memory: give them more first", past.OOMKills)
	}
	a.Notes = append(a.Notes, is.notes...)
}

func (a *Advice) doubtLength(past Past, o Options) {
	switch has := span(past.Demand); {
	case has < shortLength:
		a.say(Low, "only %s of its usage are known", days(has))
	case has < usualLength && has < o.Length-24*time.Hour:
		a.say(Medium, "only %s of its usage are known", days(has))
	case has < usualLength:
		a.say(Medium, "%s were looked at: longer ones know more of the weekly course", days(has))
	}
	if missing := gapShare(past); missing >= someGaps {
		a.say(pick(missing >= muchGaps), "%.0f %% of the time nothing is known, and the last value was taken", missing*100)
	}
}

func (a *Advice) doubtDemand(past Past) {
	limit, _ := past.Limits.Get(scale.CPU)
	a.CensoredShare = censored(&past, inUnits(limit))
	if a.CensoredShare >= someCensored {
		a.say(pick(a.CensoredShare >= muchCensored), "pods were at their cpu limit %.1f %% of the time, which hides what they needed then", a.CensoredShare*100)
	}
	if cpu, _ := past.Requests.Get(scale.CPU); past.LeastCPU > 0 && past.LeastCPU != cpu {
		a.Notes = append(a.Notes, fmt.Sprintf("its pods did not always request %s of cpu: the replay takes what they request now", cpu))
	}
}

// say adds a doubt. Those that leave it least sure come first.
func (a *Advice) say(most Sure, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if most == Low && a.Sure != Low {
		a.Doubts = append([]string{text}, a.Doubts...)
	} else {
		a.Doubts = append(a.Doubts, text)
	}
	if a.Sure == High || most == Low {
		a.Sure = most
	}
}

func pick(much bool) Sure {
	if much {
		return Low
	}
	return Medium
}

func days(d time.Duration) string { return fmt.Sprintf("%.1f days", d.Hours()/24) }

// gapShare is the share of time of which no demand is known.
func gapShare(past Past) float64 {
	unknown := time.Duration(0)
	for _, g := range past.Demand.Gaps() {
		unknown += g.To.Sub(g.From)
	}
	return float64(unknown) / float64(max(span(past.Demand), 1))
}
