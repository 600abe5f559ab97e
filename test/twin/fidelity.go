package twin

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

//go:embed found.md
var found string

// Document is docs/fidelity.md: each scenario with the sizes that both runs
// decide. It is made from the runs in virtual time. A live run that decides
// otherwise fails, so what it says holds for both.
func Document(scenarios []Scenario, start time.Time) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, `<!-- Written by "make generate" from test/twin. -->
# Fidelity

Each of these scenarios is run twice: in virtual time, as a replay does it, and
by the built controller on a real control plane, with usage from metrics-server.
The size decided at the end of each phase is equal and has come to rest, the
moments are at most %.0f seconds apart (two periods of %.0f seconds and a metric
window of %.0f), and so are the sizes that pods really have, within a round. Of a
ramp the end counts. A request that follows measured usage is equal within what a
measurement is off by, where the scenario's file says so. Every live decision is
recorded, and %s repeats it to the last byte. Whatever moments
usage is read at, a replay of each scenario comes to the same.

<!-- not run: takes minutes, on a control plane of its own -->
%[5]ssh
make test-twin     # minutes; writes bin/fidelity.md with the moments as measured
%[5]s

A difference fails the run: it is a fault of one side and is put right there.

| scenario | what it shows | phases: what happens, and the size decided in both runs | differences |
|---|---|---|---|
`, Tolerance.Seconds(), Sync.Seconds(), Window.Seconds(), "`tidemark decide`", "```")
	for i := range scenarios {
		s := &scenarios[i]
		looks, err := Simulate(s, start)
		if err != nil {
			return "", fmt.Errorf("%s: %w", s.Name, err)
		}
		about := s.About
		if s.Source != "" {
			about += " (" + s.Source + ")"
		}
		fmt.Fprintf(&out, "| [%[1]s](../test/twin/scenarios/%[1]s.yaml) | %s | %s | none |\n", s.Name, about, phases(s, looks))
	}
	return out.String() + "\n" + found, nil
}

// phases lists what happens and what is decided.
func phases(s *Scenario, looks []Look) string {
	var all []string
	for i, o := range Outcomes(s, looks) {
		all = append(all, fmt.Sprintf("%s: %s (%s)", s.Course[i].words(), told(o.Last), o.Why))
	}
	return strings.Join(all, "<br>")
}

// words says what a phase does.
func (p *Phase) words() string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	switch {
	case p.CPU != nil && p.Ramp:
		add("cpu toward %s", p.CPU)
	case p.CPU != nil:
		add("cpu %s", p.CPU)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Metrics)) {
		add("%s %s", name, p.Metrics[name])
	}
	if p.Requested != nil {
		add("requested %d", *p.Requested)
	}
	if p.Recommended != nil {
		add("recommended %s", words(p.Recommended.amounts()))
	}
	if p.Mode != "" {
		add("mode %s", p.Mode)
	}
	if p.Crash != nil {
		add("%d pods crash", p.Crash.Pods)
	}
	if p.Rollout {
		add("rollout")
	}
	if len(all) == 0 {
		add("nothing new")
	}
	return strings.Join(all, ", ")
}
