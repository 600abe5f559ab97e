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

// Document lists all results: what was decided in both runs, by how much the
// moments differ, and where the runs do not agree.
func Document(results []Result) string {
	var out strings.Builder
	out.WriteString("# Fidelity, measured\n\n")
	out.WriteString("| scenario | looks in sim, live | largest distance of moments | differences |\n|---|---|---|---|\n")
	for i := range results {
		r := &results[i]
		fmt.Fprintf(&out, "| %s | %d, %d | %s | %s |\n", r.Scenario.Name, len(r.Sim), len(r.Live), seconds(r.distance()), r.differences())
	}
	return out.String()
}

// distance is by how much the moments of the runs differ at most.
func (r *Result) distance() (most time.Duration) {
	a, b := Outcomes(r.Scenario, r.Sim), Outcomes(r.Scenario, r.Live)
	for i := range a {
		if !r.Scenario.Course[i].Ramp {
			most = max(most, (a[i].Moment - b[i].Moment).Abs())
		}
	}
	return most
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
