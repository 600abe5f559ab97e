// Package wait is how long requests wait at a pod, in closed form: they arrive at
// random, are worked off in the order they come, and one that would wait longer
// than the queue allows is turned away.
//
// It is the queue M/M/1 (or M/D/1) with a bounded wait. Below full utilization a
// request waits longer than t with the well-known probability ρ·exp(−(1−ρ)µt),
// as long as the bound is far away. Unlike that formula, the bounded queue also
// has an answer at and beyond full utilization, and the two meet: more work never
// waits less. What is turned away is known as well (Barrer's formula).
//
// A pod of several cores counts as one fast server. Several slow ones would let
// a little fewer requests wait, and those for as long.
//
// Numbers are shares in billionths, in integers alone: every machine computes the
// same.
package wait
