package seeded

// Normal is the number that belongs to a seed and to what it is drawn for, spread
// almost normally around 0 with a variance of 1, in billionths: the sum of twelve
// even ones, in integers, so that it is the same on every machine.
func Normal(seed uint64, of ...uint64) int64 {
	first, sum := Number(seed, of...), uint64(0)
	for i := range uint64(3) {
		n := Number(first, i+1)
		sum += n&0xffff + n>>16&0xffff + n>>32&0xffff + n>>48
	}
	// Each of the twelve lies between 0 and 65535, with a variance of 65536²/12.
	return (2*int64(sum) - 12*65535) * 1_000_000_000 / (2 * 65536)
}
