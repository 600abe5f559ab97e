package twin

import (
	"fmt"
	"strings"
	"time"
)

// Result is what became of a scenario.
type Result struct {
	Scenario    *Scenario
	Sim, Live   []Look
	Differences []Difference
}

// Measured is bin/fidelity.md: what a live run measured beside the run in virtual
// time.
func Measured(results []Result) string {
	var out strings.Builder
	out.WriteString("# Fidelity, measured\n\n| scenario | looks in sim, live | largest distance of moments, of pods | differences |\n|---|---|---|---|\n")
	for i := range results {
		r := &results[i]
		size, pods := r.distance()
		fmt.Fprintf(&out, "| %s | %d, %d | %s, %s | %s |\n", r.Scenario.Name, len(r.Sim), len(r.Live), seconds(size), seconds(pods), r.differences())
	}
	return out.String()
}

// distance is by how much the moments of the runs differ at most.
func (r *Result) distance() (size, pods time.Duration) {
	a, b := Outcomes(r.Scenario, r.Sim), Outcomes(r.Scenario, r.Live)
	for i := range a {
		if !r.Scenario.Course[i].Ramp {
			size, pods = max(size, (a[i].Moment-b[i].Moment).Abs()), max(pods, (a[i].PodMoment-b[i].PodMoment).Abs())
		}
	}
	return size, pods
}

func (r *Result) differences() string {
	if len(r.Differences) == 0 {
		return "none"
	}
	var all []string
	for _, d := range r.Differences {
		all = append(all, d.String())
	}
	return strings.Join(all, "; ")
}

// courseOf is a run in words, without what stayed the same.
func courseOf(looks []Look) string {
	var out strings.Builder
	last := ""
	for _, l := range looks {
		if text := fmt.Sprintf("%s: %s %s", l.decided(), l.why(), l.had()); text != last {
			fmt.Fprintf(&out, "  %6.1f s  %s\n", l.At.Seconds(), text)
			last = text
		}
	}
	return out.String()
}
