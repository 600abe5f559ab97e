package sim

import "github.com/tidemark/tidemark/scale"

// wander is a number that moves around 0 with a variance of 1, in billionths, and
// forgets where it was. It is exact, so every machine goes the same way.
type wander struct {
	// keeps is the share that is left after a step, and adds what chance adds.
	keeps, adds, now int64
}

// wanderBound keeps products within 64 bits; chance gets nowhere near it.
const wanderBound = 8 * scale.Parts

func newWander(keeps, first int64) wander {
	return wander{keeps: keeps, adds: besides(keeps), now: first}
}

// step goes on, by a number of variance 1.
func (w *wander) step(chance int64) {
	next := w.now*w.keeps/scale.Parts + w.adds*chance/scale.Parts
	w.now = min(max(next, -wanderBound), wanderBound)
}

// besides is how much of something independent goes with a share, so that the sum
// varies as both do: the root of 1 less the square.
func besides(share int64) int64 {
	return int64(root(uint64(scale.Parts*scale.Parts - share*share)))
}

// root is the square root, rounded down.
func root(n uint64) uint64 {
	if n < 2 {
		return n
	}
	// Newton's method from above falls until it is there.
	for x := uint64(1) << 32; ; {
		next := (x + n/x) / 2
		if next >= x {
			return x
		}
		x = next
	}
}
