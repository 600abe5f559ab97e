package generate

// dice is a small generator of pseudo-random numbers (SplitMix64): its numbers
// depend on the seed alone, today and in every later version.
type dice struct{ state uint64 }

// newDice returns dice for a shape: two shapes of one seed are not alike.
func newDice(name string, seed uint64) *dice {
	d := &dice{state: seed}
	for _, letter := range []byte(name) {
		d.state ^= uint64(letter)
		d.next()
	}
	return d
}

func (d *dice) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// between returns a number from low to high, both included.
func (d *dice) between(low, high int64) int64 {
	if high <= low {
		return low
	}
	return low + int64(d.next()%uint64(high-low+1))
}

// noise returns a roughness of about so many percent. It drifts, so that
// neighbours are alike, as they are in real demand.
func (d *dice) noise(percent int64) func(level int64) int64 {
	drift, most := int64(0), percent*million/100
	return func(level int64) int64 {
		drift = drift*3/4 + d.between(-most, most)/2
		return level + level/1000*drift/1000
	}
}
