package upstream

import (
	"math"
	"math/rand/v2"
)

// Dice is where everything random comes from.
type Dice struct {
	rng *rand.Rand
	// bytes are used instead of rng, so that a fuzzer can steer every roll.
	bytes []byte
}

// Seeded returns the dice of one case of one run. Cases do not share a
// sequence: each can be repeated alone, and in any order.
func Seeded(seed, number uint64) *Dice {
	return &Dice{rng: rand.New(rand.NewPCG(seed, number))}
}

// FromBytes returns dice that roll what the bytes say, and zeros after them.
func FromBytes(b []byte) *Dice { return &Dice{bytes: b} }

// Below rolls a number from 0 to n-1.
func (d *Dice) Below(n int) int { return int(d.Upto(int64(n) - 1)) }

// Upto rolls a number from 0 to n.
func (d *Dice) Upto(n int64) int64 {
	if d.rng != nil {
		if n == math.MaxInt64 {
			return d.rng.Int64()
		}
		return d.rng.Int64N(n + 1)
	}
	var roll uint64
	for span := uint64(n); span > 0 && len(d.bytes) > 0; span >>= 8 {
		roll = roll<<8 | uint64(d.bytes[0])
		d.bytes = d.bytes[1:]
	}
	if n == math.MaxInt64 {
		return int64(roll >> 1)
	}
	return int64(roll % (uint64(n) + 1))
}

// Between rolls a number from low to high.
func (d *Dice) Between(low, high int64) int64 { return low + d.Upto(high-low) }

// OneIn is true once in n times.
func (d *Dice) OneIn(n int) bool { return d.Below(n) == n-1 }

// Percent is true in so many of a hundred times.
func (d *Dice) Percent(p int) bool { return d.Below(100) >= 100-p }

// Of returns one of the choices.
func Of[T any](d *Dice, choices ...T) T { return choices[d.Below(len(choices))] }
