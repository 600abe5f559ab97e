package twin

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Tolerance is by how much the moments of two runs may differ: two periods and
// one metric window. Pods may be a round later, which is one more period.
const (
	Tolerance    = 2*Sync + Window
	podTolerance = Tolerance + Sync
)

// Difference is where the two runs of a scenario do not agree, or one of them
// does not do what the scenario says.
type Difference struct {
	Phase int
	What  string
	// Sim and Live are what each run did.
	Sim, Live string
}

// String says it in a line.
func (d Difference) String() string {
	return fmt.Sprintf("phase %d: %s: sim %s, live %s", d.Phase+1, d.What, d.Sim, d.Live)
}

// Outcome is what became of one phase in one run.
type Outcome struct {
	// Size is what was decided at its end, and Moment from when on, counted from
	// the phase's beginning; 0 where it was decided before.
	Size   string
	Moment time.Duration
	// Rest is how long it had been decided by the end.
	Rest time.Duration
	// Pods are what pods had at the end, and PodMoment from when on.
	Pods      string
	PodMoment time.Duration
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
		return Outcome{Size: "no look"}
	}
	last := looks[len(looks)-1]
	decided, had := since(looks, last.decided(), Look.decided), since(looks, last.had(), Look.had)
	out := Outcome{Size: last.decided(), Moment: looks[decided].At - begin, Pods: last.had(), PodMoment: looks[had].At - begin, Why: looks[decided].why()}
	out.Rest = end - looks[decided].At
	if before != nil && decided == 0 && before.decided() == out.Size {
		out.Moment = 0
	}
	if before != nil && had == 0 && before.had() == out.Pods {
		out.PodMoment = 0
	}
	return out
}

// since is the first of the looks from which on something stayed as it ended.
func since(looks []Look, value string, of func(Look) string) int {
	i := len(looks) - 1
	for i > 0 && of(looks[i-1]) == value {
		i--
	}
	return i
}

func (l Look) decided() string {
	if l.Tuning != "" {
		return l.Want.String() + " " + l.Tuning
	}
	return l.Want.String()
}

func (l Look) had() string { return strings.Join(l.Pods, ", ") }

func (l Look) why() string {
	if l.LimitedBy != "" {
		return l.Reason + ", limited by " + l.LimitedBy
	}
	return l.Reason
}

// Compare says where two runs of a scenario differ. On plateaus the size that is
// decided is equal and comes to rest, and the moments agree; of a ramp only the
// end counts. What pods have is equal at the end of each, and no later than a
// round.
func Compare(s *Scenario, sim, live []Look) []Difference {
	var all []Difference
	a, b := Outcomes(s, sim), Outcomes(s, live)
	for i := range s.Course {
		p, add := &s.Course[i], func(what, sim, live string) { all = append(all, Difference{i, what, sim, live}) }
		if a[i].Size != b[i].Size {
			add("the size decided", a[i].Size, b[i].Size)
		}
		if p.Want != "" && !(meets(sim, s, i) && meets(live, s, i)) {
			add("the size is to be "+p.Want, a[i].Size, b[i].Size)
		}
		if a[i].Pods != b[i].Pods {
			add("what pods have", "["+a[i].Pods+"]", "["+b[i].Pods+"]")
		}
		if p.Ramp {
			continue
		}
		if d := (a[i].Moment - b[i].Moment).Abs(); d > Tolerance {
			add(fmt.Sprintf("the moments differ by more than %s", Tolerance), seconds(a[i].Moment), seconds(b[i].Moment))
		}
		if d := (a[i].PodMoment - b[i].PodMoment).Abs(); d > podTolerance {
			add(fmt.Sprintf("the moments of the pods differ by more than %s", podTolerance), seconds(a[i].PodMoment), seconds(b[i].PodMoment))
		}
		if a[i].Rest < Window || b[i].Rest < Window {
			add("the size does not come to rest", "at rest for "+seconds(a[i].Rest), "at rest for "+seconds(b[i].Rest))
		}
	}
	return all
}

// meets tells whether the last look of a phase decided what the scenario wants.
func meets(looks []Look, s *Scenario, phase int) bool {
	var end time.Duration
	for i := range phase + 1 {
		end += s.Course[i].length()
	}
	before := slices.IndexFunc(looks, func(l Look) bool { return l.At >= end })
	if before < 0 {
		before = len(looks)
	}
	want, err := parseSize(s.Course[phase].Want)
	return err == nil && before > 0 && looks[before-1].Want.meets(want)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
