// Package scale is the vocabulary every other package speaks: amounts,
// sizes, what was seen (Observation), what was decided (Decision), and the
// Steps and Reasons that say why.
//
// It holds values and exact arithmetic on them, nothing else: no clock, no
// I/O, no Kubernetes type, only the standard library. A reader who knows the
// types of this package can read any decision of Tidemark.
package scale
