package history

import (
	"math/bits"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// spread is how far something was from its forecast: a histogram of errors by
// their own usual size. What is usual changes within the hour, as demand is calm or
// not; how often an error is twice or ten times as large hardly does, so that is
// remembered for longer.
type spread struct {
	// size is the mean of the last half hour's errors, whatever their sign, and
	// score that of the last hours, in 256ths of a thousandth.
	size, score int64
	weights     [spreadBuckets]uint64
	// tick is the time the weights are as of.
	tick int64
}

const (
	// sizeMemory and scoreMemory are how long the means remember.
	sizeMemory  = 30 * time.Minute
	scoreMemory = 6 * time.Hour
	// SpreadHalfLife is how long an error takes to lose half of its weight.
	SpreadHalfLife = 24 * time.Hour
	spreadTick     = int64(SpreadHalfLife/time.Millisecond) / ticksPerHalfLife

	// Errors are told apart in eighths of their usual size, and above it in four
	// parts of each doubling.
	spreadParts   = 8
	spreadQuarter = 2
	spreadDoubles = 6
	spreadSide    = spreadParts + spreadDoubles<<spreadQuarter
	spreadBuckets = 2*spreadSide + 1

	// mostError keeps what is computed of errors within 64 bits.
	mostError = 1 << 40
	sizeShift = 8
	// steadiest is the smallest share of a forecast that its error is taken for.
	steadiest = 128
)

// add adds an error, seen a time after the one before. Share is its part of a whole
// error, in 65536ths.
func (s *spread) add(atMillis, afterMillis, err int64, share uint64) {
	err = min(max(err, -mostError), mostError)
	far := max(err, -err) << sizeShift
	if s.size == 0 {
		s.size, s.score = far, far
	}
	s.fadeTo(atMillis / spreadTick)
	s.weights[spreadBucket(err<<sizeShift, s.size)] += share
	s.size += (far - s.size) / max(sizeMemory.Milliseconds()*oneReaction/max(afterMillis*int64(share), 1), 1)
	s.score += (far - s.score) / max(scoreMemory.Milliseconds()*oneReaction/max(afterMillis*int64(share), 1), 1)
}

func (s *spread) fadeTo(tick int64) {
	if tick <= s.tick {
		return
	}
	for i, w := range s.weights {
		s.weights[i] = fade(w, tick-s.tick)
	}
	s.tick = tick
}

// spreadBucket is the bucket of an error, by its usual size.
func spreadBucket(err, size int64) int {
	far := uint64(max(err, -err))
	n := int(min(far*spreadParts/uint64(max(size, 1)), 1<<20))
	if n >= spreadParts {
		power := bits.Len(uint(n)) - 1
		part := n >> (power - spreadQuarter) & (1<<spreadQuarter - 1)
		n = spreadParts + (power-bits.Len(spreadParts)+1)<<spreadQuarter + part
	}
	n = min(n, spreadSide)
	if err < 0 {
		return spreadSide - n
	}
	return spreadSide + n
}

// spreadMiddle is the middle of a bucket, in sixteenths of the usual size: the lower
// end of the last, which has no upper one.
func spreadMiddle(bucket int) int64 {
	n := int64(bucket - spreadSide)
	sign := int64(1)
	if n < 0 {
		n, sign = -n, -1
	}
	switch {
	case n == 0:
		return 0
	case n < spreadParts:
		return sign * (2*n + 1)
	}
	power := (n-spreadParts)>>spreadQuarter + int64(bits.Len(spreadParts)-1)
	part := (n - spreadParts) & (1<<spreadQuarter - 1)
	if n == spreadSide {
		return sign * (2 << power)
	}
	return sign * ((8 + 2*part + 1) << power >> 2)
}

// cuts are where a distribution is cut into parts, in millionths: finer where it
// costs more to be wrong.
var (
	demandCuts = []uint64{50_000, 200_000, 400_000, 600_000, 800_000, 900_000, 950_000, 980_000, 990_000, 995_000, 998_000, million}
	roomCuts   = []uint64{50_000, 300_000, 700_000, million}
)

const million = 1_000_000

// prior is what is assumed before anything was seen, by the bucket of a few errors:
// that forecasts are as often too high as too low, and seldom wrong by much more
// than usual. It counts as much as ten minutes of samples and fades as they do.
var prior = [...]struct {
	sixteenths int64
	weight     uint64
}{{-24, 8 << 16}, {-8, 8 << 16}, {0, 8 << 16}, {8, 8 << 16}, {24, 6 << 16}, {48, 2 << 16}}

// begin lets a spread start from what is assumed of a usual size.
func (s *spread) begin(atMillis, size int64) {
	s.size, s.score, s.tick = size, size, atMillis/spreadTick
	for _, p := range prior {
		s.weights[spreadBucket(p.sixteenths, 16)] += p.weight
	}
}

// around appends what may come of a forecast: its parts, and how likely they are.
// Each part stands for the mean of what is in it.
func (s *spread) around(forecast scale.Amount, cuts []uint64, to []scale.Likely) []scale.Likely {
	sum := uint64(0)
	for _, w := range s.weights {
		sum += w
	}
	if sum == 0 {
		return append(to, scale.Likely{Amount: forecast, Chance: million})
	}
	forecast = min(forecast, mostError)
	// Nothing is so steady that it could not move by a little.
	size := max(s.size, int64(forecast)<<sizeShift/steadiest)
	below, inside, cut, given := uint64(0), uint64(0), 0, int64(0)
	far := int64(0)
	for i, w := range s.weights {
		if w == 0 {
			continue
		}
		below, inside, far = below+w, inside+w, far+int64(w>>8)*spreadMiddle(i)
		if share := million * (below >> 8) / max(sum>>8, 1); share >= cuts[cut] || below == sum {
			chance := int64(share) - given
			if below == sum {
				chance = million - given
			}
			mean := far / int64(max(inside>>8, 1))
			to = append(to, scale.Likely{Amount: max(forecast+scale.Amount(size/16*mean>>sizeShift), 0), Chance: chance})
			given, inside, far = given+chance, 0, 0
			for cut < len(cuts)-1 && cuts[cut] <= share {
				cut++
			}
		}
	}
	return to
}
