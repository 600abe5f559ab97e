package history

import (
	"math/bits"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// GrowthHalfLife is how long a growth takes to lose half of its weight.
const GrowthHalfLife = 14 * 24 * time.Hour

// The sketch's buckets: one for each small number, then sixteen for each power
// of two, so that a bucket's end over-reads by at most a sixteenth. Numbers
// beyond the last power fall into the last bucket.
const (
	exactBuckets = 32
	bucketsShift = 4
	firstPower   = 5
	lastPower    = 39
	bucketCount  = exactBuckets + (lastPower-firstPower+1)<<bucketsShift
	blockSize    = 1 << bucketsShift
)

// oneReaction is the weight of one whole reaction seen just now.
const oneReaction = 1 << 16

// maxBucketWeight bounds a bucket. At a reaction a second, two half-lives of
// weight come to 2^38.
const maxBucketWeight = 1 << 46

// ticksPerHalfLife is in how many steps weights lose half of themselves.
const ticksPerHalfLife = 16

const tickMillis = int64(GrowthHalfLife/time.Millisecond) / ticksPerHalfLife

// decayed is 2^(-i/16) in 65536ths.
var decayed = [ticksPerHalfLife]uint64{
	65536, 62757, 60097, 57549, 55109, 52773, 50535, 48393, 46341, 44376, 42495, 40693, 38968, 37316, 35734, 34219,
}

// sketch is a histogram of whole numbers whose weights decay. Its arithmetic
// is exact: the same numbers at the same times give the same weights anywhere.
type sketch struct {
	// blocks are the weights of sixteen buckets each, nil where none is in use:
	// a workload's growths lie within a few powers of two, and there are many
	// workloads.
	blocks [bucketCount / blockSize]*[blockSize]uint64
	// tick is the time the weights are as of.
	tick int64
	// sum is the weight of all buckets, top the highest one in use: both follow
	// from the weights, and save looking at them all.
	sum uint64
	top int
}

// add adds a number with a weight. One that comes late weighs less.
func (s *sketch) add(atMillis int64, number, weight uint64) {
	tick := atMillis / tickMillis
	s.advance(tick)
	s.raise(bucketOf(number), fade(weight, s.tick-tick))
}

// raise adds to a bucket.
func (s *sketch) raise(bucket int, weight uint64) {
	if weight == 0 {
		return
	}
	block := &s.blocks[bucket/blockSize]
	if *block == nil {
		*block = &[blockSize]uint64{}
	}
	before := (*block)[bucket%blockSize]
	after := min(before+weight, maxBucketWeight)
	(*block)[bucket%blockSize] = after
	s.sum += after - before
	s.top = max(s.top, bucket)
}

// weight is the weight of a bucket.
func (s *sketch) weight(bucket int) uint64 {
	if block := s.blocks[bucket/blockSize]; block != nil {
		return block[bucket%blockSize]
	}
	return 0
}

// advance lets the weights decay to a later time.
func (s *sketch) advance(tick int64) {
	if tick <= s.tick {
		return
	}
	s.sum, s.top = 0, 0
	for b, block := range s.blocks {
		if block == nil {
			continue
		}
		before := s.sum
		for i, w := range block {
			if w = fade(w, tick-s.tick); w > 0 {
				s.sum, s.top = s.sum+w, b*blockSize+i
			}
			block[i] = w
		}
		if s.sum == before {
			s.blocks[b] = nil
		}
	}
	s.tick = tick
}

// fade returns what is left of a weight after some ticks.
func fade(weight uint64, ticks int64) uint64 {
	if ticks <= 0 {
		return weight
	}
	halves := min(ticks/ticksPerHalfLife, 64)
	return weight >> halves * decayed[ticks%ticksPerHalfLife] >> 16
}

// exceeded returns a number that the next one exceeds with at most this
// probability, in billionths.
//
// Of n numbers and one more, each is equally likely to be the largest, so the
// chance that the next one exceeds a value which a of the n exceed is
// (a+1)/(n+1), whatever their distribution. That has to be at most the risk;
// with fewer than 1/risk - 1 numbers no value is safe enough.
func (s *sketch) exceeded(risk int64) (uint64, bool) {
	allowed := scale.NewRatio(scale.Product{int64(s.sum + oneReaction), risk}, scale.Product{}, scale.Product{scale.Parts, 1}).Amount()
	if allowed < oneReaction {
		return 0, false
	}
	above := uint64(0)
	for bucket := s.top; bucket > 0; bucket-- {
		above += s.weight(bucket)
		if above > uint64(allowed-oneReaction) {
			return bucketEnd(bucket), true
		}
	}
	return 0, true
}

// bucketOf returns the bucket of a number.
func bucketOf(n uint64) int {
	if n < exactBuckets {
		return int(n)
	}
	power := bits.Len64(n) - 1
	if power > lastPower {
		return bucketCount - 1
	}
	part := int(n>>(power-bucketsShift)) & (1<<bucketsShift - 1)
	return exactBuckets + (power-firstPower)<<bucketsShift + part
}

// bucketEnd returns the largest number of a bucket.
func bucketEnd(bucket int) uint64 {
	if bucket < exactBuckets {
		return uint64(bucket)
	}
	power := (bucket-exactBuckets)>>bucketsShift + firstPower
	part := uint64(bucket-exactBuckets) & (1<<bucketsShift - 1)
	return (1<<bucketsShift+part+1)<<(power-bucketsShift) - 1
}
