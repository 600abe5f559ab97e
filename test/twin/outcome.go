package twin

import (
	"slices"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Tolerance is by how much the moments of two runs may differ: two periods and
// one metric window.
const Tolerance = 2*Sync + Window

// Outcome is what became of one phase in one run.
type Outcome struct {
	// Last is the last look. Without one, nothing of the phase is known.
	Last *Look
	// Moment is from when on its size was decided, counted from the phase's
	// beginning, 0 where it was decided before; Rest is for how long by the end.
	Moment, Rest time.Duration
	// PodMoment is from when on pods had what they had at the end.
	PodMoment time.Duration
	// Mixed is what pods had when they were first seen with different sizes;
	// empty where they never were.
	Mixed string
	// Why is the reason of the decision that led there.
	Why string
}

// Outcomes sums a run up, phase by phase.
func Outcomes(s *Scenario, looks []Look) []Outcome {
	out := make([]Outcome, len(s.Course))
	begin, before := time.Duration(0), (*Look)(nil)
	for i := range s.Course {
		end := begin + s.Course[i].length()
		var within []Look
		for _, look := range looks {
			if look.At >= begin && look.At < end {
				within = append(within, look)
			}
		}
		out[i] = outcome(begin, end, before, within)
		if n := len(within); n > 0 {
			before = &within[n-1]
		}
		begin = end
	}
	return out
}

// outcome sums one phase up. Before is the last look before it.
func outcome(begin, end time.Duration, before *Look, looks []Look) Outcome {
	if len(looks) == 0 {
		return Outcome{}
	}
	last := &looks[len(looks)-1]
	decided, had := since(looks, Look.decided), since(looks, Look.had)
	out := Outcome{Last: last, Moment: looks[decided].At - begin, Rest: end - looks[decided].At, PodMoment: looks[had].At - begin, Why: looks[decided].why()}
	if mixed := slices.IndexFunc(looks, Look.mixed); mixed >= 0 {
		out.Mixed = looks[mixed].had()
	}
	if before != nil && decided == 0 && before.decided() == last.decided() {
		out.Moment = 0
	}
	if before != nil && had == 0 && before.had() == last.had() {
		out.PodMoment = 0
	}
	return out
}

// since is the first of the looks from which on something stayed as it ended.
func since(looks []Look, of func(Look) string) int {
	i := len(looks) - 1
	for last := of(looks[i]); i > 0 && of(looks[i-1]) == last; {
		i--
	}
	return i
}

func (l Look) decided() string { return strings.TrimSpace(l.Want.String() + " " + l.Tuning) }

func (l Look) had() string {
	var all []string
	for _, rs := range l.Pods {
		all = append(all, words(rs))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// mixed tells whether pods had different sizes.
func (l Look) mixed() bool {
	return len(l.Pods) > 0 && slices.ContainsFunc(l.Pods, func(rs scale.Resources) bool { return rs != l.Pods[0] })
}

func (l Look) why() string {
	if l.LimitedBy != "" {
		return l.Reason + ", limited by " + l.LimitedBy
	}
	return l.Reason
}

func told(l *Look) string {
	if l == nil {
		return "no look"
	}
	return l.decided()
}
