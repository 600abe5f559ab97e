package twin

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
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

// Compare says where two runs of a scenario differ. On plateaus the size that is
// decided is equal and comes to rest, and the moments agree; of a ramp only the
// end counts. What pods have is equal at the end of each, and no later than a
// round.
func Compare(s *Scenario, sim, live []Look) []Difference {
	var all []Difference
	a, b := Outcomes(s, sim), Outcomes(s, live)
	for i := range s.Course {
		add := func(what, sim, live string) { all = append(all, Difference{i, what, sim, live}) }
		if a[i].Last == nil || b[i].Last == nil {
			add("somebody has to look", told(a[i].Last), told(b[i].Last))
			continue
		}
		s.compareSizes(&s.Course[i], a[i].Last, b[i].Last, add)
		if s.Course[i].Together && a[i].Mixed+b[i].Mixed != "" {
			add("pods are to be resized together", cmp.Or(a[i].Mixed, "always are"), cmp.Or(b[i].Mixed, "always are"))
		}
		if !s.Course[i].Ramp {
			compareMoments(a[i], b[i], add)
		}
	}
	return all
}

func told(l *Look) string {
	if l == nil {
		return "no look"
	}
	return l.decided()
}

// compareSizes says how the ends of a phase differ.
func (s *Scenario) compareSizes(p *Phase, sim, live *Look, add func(what, sim, live string)) {
	within := scale.Amount(0)
	if s.Within != nil {
		within = amount(*s.Within)
	}
	if sim.Want.Replicas != live.Want.Replicas || !near(sim.Want.Each, live.Want.Each, within) || sim.Tuning != live.Tuning {
		add("the size decided", sim.decided(), live.decided())
	}
	if want, err := parseSize(p.Want); err == nil && !(sim.Want.meets(want, within) && live.Want.meets(want, within)) {
		add("the size is to be "+p.Want, sim.decided(), live.decided())
	}
	if !slices.EqualFunc(sim.Pods, live.Pods, func(a, b scale.Resources) bool { return near(a, b, within) }) {
		add("what pods have", sim.had(), live.had())
	}
}

// compareMoments says how the ways to the end of a plateau differ.
func compareMoments(sim, live Outcome, add func(what, sim, live string)) {
	if (sim.Moment - live.Moment).Abs() > Tolerance {
		add(fmt.Sprintf("the moments differ by more than %s", Tolerance), seconds(sim.Moment), seconds(live.Moment))
	}
	if (sim.PodMoment - live.PodMoment).Abs() > podTolerance {
		add(fmt.Sprintf("the moments of the pods differ by more than %s", podTolerance), seconds(sim.PodMoment), seconds(live.PodMoment))
	}
	if sim.Rest < Window || live.Rest < Window {
		add("the size does not come to rest", "at rest for "+seconds(sim.Rest), "at rest for "+seconds(live.Rest))
	}
}

// meets tells whether the size is what is wanted, as far as that says.
func (s Size) meets(want Size, within scale.Amount) bool {
	for _, r := range scale.EveryResource {
		if _, said := want.Each.Get(r); !said {
			if a, ok := s.Each.Get(r); ok {
				want.Each = want.Each.With(r, a)
			}
		}
	}
	return s.Replicas == want.Replicas && near(s.Each, want.Each, within)
}

// near tells whether two pods have the same, apart from a little cpu.
func near(a, b scale.Resources, within scale.Amount) bool {
	x, _ := a.Get(scale.CPU)
	y, known := b.Get(scale.CPU)
	if known && max(x-y, y-x) <= within {
		a = a.With(scale.CPU, y)
	}
	return a == b
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
