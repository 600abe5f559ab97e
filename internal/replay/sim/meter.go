package sim

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// meter is what a score is made of that is no sum.
type meter struct {
	waits waits
	// arrived and able are what came in this minute, and what could have been
	// done; passed is how long the minute has lasted.
	arrived, able Work
	passed        time.Duration
	minutes       int64
	violations    int64
	day           day
}

// day is how much of the limits was used, for how long, by thousandths, up to
// twice as much.
type day struct {
	lasted time.Duration
	used   [2001]time.Duration
	// slack is the sum over the days that have ended, in thousandths, each times
	// its length in seconds; scored is the sum of their lengths.
	slack, scored int64
}

const (
	// violated is the share of the capacity that should not be exceeded.
	violated   = scale.Parts * 9 / 10
	percentile = 95
)

// add notes what came in a time, and what was done of it.
func (m *meter) add(by *serving, demand scale.Amount, served Work, d time.Duration) {
	used, share := served.over(d), len(m.day.used)-1
	if by.limits > 0 {
		share = int(min(int64(used)*1000/int64(by.limits), int64(share)))
	}
	for left := d; left > 0; {
		part := min(left, time.Minute-m.passed)
		m.arrived, m.able = m.arrived.Plus(demand, part), m.able.Plus(by.capacity, part)
		m.day.used[share] += part
		left -= part
		if m.passed += part; m.passed == time.Minute {
			m.endMinute()
		}
	}
	if m.day.lasted += d; m.day.lasted >= 24*time.Hour {
		m.day.end()
	}
}

func (m *meter) endMinute() {
	m.minutes++
	if m.able.part(violated, scale.Parts).less(m.arrived) {
		m.violations++
	}
	m.arrived, m.able, m.passed = Work{}, Work{}, 0
}

// end ends a day.
func (d *day) end() {
	below := time.Duration(0)
	for share, lasted := range d.used {
		below += lasted
		if below*100 >= d.lasted*percentile {
			seconds := int64(d.lasted / time.Second)
			d.slack += int64(1000-share) * seconds
			d.scored += seconds
			break
		}
	}
	*d = day{slack: d.slack, scored: d.scored}
}

// into writes what was measured into a score.
func (m *meter) into(s *Score, settings *Settings) {
	if m.passed > 0 {
		m.endMinute()
	}
	if m.day.lasted > 0 {
		m.day.end()
	}
	s.Minutes, s.Violations = m.minutes, m.violations
	if m.day.scored > 0 {
		s.Slack = m.day.slack * (scale.Parts / 1000) / m.day.scored
	}
	if settings.Waiting.Most > 0 {
		s.WaitMean, s.Wait50, s.Wait99 = m.waits.summary(settings.Waiting.model())
	}
}
