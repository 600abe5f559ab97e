package seeded

// golden is 2⁶⁴ divided by the golden ratio, made odd.
const golden = 0x9e3779b97f4a7c15

// Number is the number that belongs to a seed and to what it is drawn for: such
// as a pod and the how-manieth try. It does not depend on what was drawn before,
// so two runs meet the same chance even where they ask for different things.
func Number(seed uint64, of ...uint64) uint64 {
	for _, n := range of {
		seed += n * golden
		seed = (seed ^ seed>>30) * 0xbf58476d1ce4e5b9
		seed = (seed ^ seed>>27) * 0x94d049bb133111eb
		seed ^= seed >> 31
	}
	return seed
}

// Dice give one number after another. A new one is made of its seed.
type Dice uint64

// Named returns dice for a name: those of two names are not alike.
func Named(name string, seed uint64) *Dice {
	d := Dice(seed)
	for _, letter := range []byte(name) {
		d ^= Dice(letter)
		d += golden
	}
	return &d
}

// Next returns the next number.
func (d *Dice) Next() uint64 {
	n := Number(uint64(*d), 1)
	*d += golden
	return n
}

// Between returns a number from low to high, both included.
func (d *Dice) Between(low, high int64) int64 {
	if high <= low {
		return low
	}
	return low + int64(d.Next()%uint64(high-low+1))
}
