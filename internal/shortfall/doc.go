// Package shortfall tells what of a decision is not in force: pods that do not
// exist, pods without a node, pods that have another size than was decided.
//
// It is the only judge of that. A status, an event, a series and a command line
// say what it found, in the words of package explain, and nobody else makes a
// reason of it. It is pure: the decision, what it was made on and what became of
// it in, gaps out.
//
// What is under way is no gap. Pods that were asked for a moment ago, and pods
// that are being resized, are only counted. A gap is what will not close
// by itself before the next look, or has not for too long.
package shortfall
