package twin

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// podTolerance is by how much the moments of the pods may differ: they may be a
// round later, which is one more period.
const podTolerance = Tolerance + Sync

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
