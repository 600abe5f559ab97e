// Package upstream holds Tidemark's engine against the Kubernetes HPA itself,
// not against a copy of it: the packages of k8s.io/kubernetes are linked into
// the same test and get the same inputs.
//
// Three claims are put to the test, on random inputs:
//
//   - With compatibility HPA, every metric proposes what upstream's replica
//     calculator proposes (calculator_test.go, fuzz_test.go).
//   - With compatibility HPA, a workload is scaled at the same moments to the
//     same counts as upstream's controller scales it, which runs beside ours
//     in virtual time (controller_test.go).
//   - With compatibility Tidemark, every difference from upstream is one of a
//     fixed list of deliberate ones (known_differences_test.go). Model is that
//     list as a program: each Switch is one difference, and can be turned on
//     alone.
//
// A Case is one situation in the words of Kubernetes: pods, what the metrics
// APIs say, a metric of an HPA. theirs.go hands it to upstream, ours.go
// translates it into a spec and an observation. Everything random comes from
// Dice, so a seed, or the bytes of a fuzzer, name a case exactly.
//
// The environment variables TIDEMARK_CASES, TIDEMARK_WORKLOADS and
// TIDEMARK_SEED set how much is tried and from where; the seed is printed, and
// is the same unless set. A case that fails is kept in testdata/found and
// compared every time from then on.
package upstream
