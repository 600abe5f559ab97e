// Package twin runs scenarios twice: in virtual time, by package sim, and in
// real time, by the built controller on a real control plane. What is decided
// must be the same, and come at the same time. So whoever believes a replay gets
// what it showed.
//
// A scenario is a file in scenarios: a workload, a policy, and a course in
// phases, each with what arrives and what happens. Parse reads it, Simulate runs
// it, and Compare says where two runs differ. All of that is pure. The live run
// has the build tag twin; make test-twin builds what it needs, runs all scenarios
// at once, and writes bin/fidelity.md.
//
// Usage comes from metrics-server, whose shortest window is ten seconds. So
// demand comes in plateaus of three windows at least.
package twin
