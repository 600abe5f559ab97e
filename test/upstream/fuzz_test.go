package upstream

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// FuzzCalculator lets a fuzzer roll the dice of a case. A case must pass both
// comparisons: with compatibility HPA against upstream, and with compatibility
// Tidemark against the model.
func FuzzCalculator(f *testing.F) {
	f.Add([]byte(nil))
	rng := rand.New(rand.NewPCG(1, 2))
	for length := 8; length <= 512; length *= 2 {
		for range 8 {
			seed := make([]byte, length)
			for i := range seed {
				seed[i] = byte(rng.Uint32())
			}
			f.Add(seed)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		synctest.Test(t, func(t *testing.T) {
			c := NewCase(FromBytes(data), time.Now())
			compareProposals(t, c, 0, newSums())
			compareModels(t, c, 0, newSums())
		})
	})
}
