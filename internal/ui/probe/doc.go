// Package probe finds what would change a decision: for each metric the nearest
// value, below and above, that leads to another answer, and the nearest moment if
// time alone does.
//
// It computes no rule itself. It asks the engine again and again, with an
// observation in which one thing is different: first further and further away, sixteen
// times within each doubling of the distance, then by halves between the last value
// that changed nothing and the first that did. So what is narrower than a sixteenth of
// its distance may be passed over.
package probe
