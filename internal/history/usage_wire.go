package history

import (
	"math"

	"github.com/tidemark/tidemark/scale"
)

// encode writes the containers in their order.
func (u *Usage) encode(w *writer) {
	w.number(uint64(len(u.containers)))
	for _, c := range u.containers {
		w.text(c.name)
		for _, r := range scale.EveryResource {
			c.series[r].encode(w)
		}
	}
}

func (u *Usage) decode(r *reader) {
	for range r.number("number of containers", MaxContainers) {
		c := newContainerUsage(r.text("container name", maxContainerName))
		if n := len(u.containers); c.name == "" || (n > 0 && c.name <= u.containers[n-1].name) {
			r.fail("container names are not in order")
		}
		for _, resource := range scale.EveryResource {
			c.series[resource].decode(r)
		}
		if r.err != nil {
			return
		}
		u.containers = append(u.containers, c)
	}
}

// encode writes one series: counts and times, then its histogram.
func (s *series) encode(w *writer) {
	w.signed(s.samples)
	w.signed(s.first)
	w.signed(s.last)
	w.signed(s.intervalEnd)
	w.signed(int64(s.peak))
	w.signed(int64(s.bumped))
	w.signed(s.killedAt)
	h := s.usage.save()
	w.number(uint64(len(h.weights)))
	if len(h.weights) == 0 {
		return
	}
	w.fixed(h.total)
	w.signed(h.reference)
	next := 0
	for _, b := range h.weights {
		w.number(uint64(b.bucket - next))
		w.number(uint64(b.weight))
		next = b.bucket + 1
	}
}

func (s *series) decode(r *reader) {
	moment := func(what string) int64 { return r.signed(what, 0, latest+2*peakInterval) }
	s.samples = r.signed("number of samples", 0, maxSampleCount)
	s.first = moment("time of the first sample")
	s.last = moment("time of the last sample")
	s.intervalEnd = moment("end of the interval")
	s.peak = scale.Amount(r.signed("peak", 0, math.MaxInt64))
	s.bumped = scale.Amount(r.signed("bumped peak", 0, math.MaxInt64))
	s.killedAt = moment("time of running out of memory")
	if s.first > s.last {
		r.fail("the first sample is later than the last")
	}
	var h saved
	if n := r.number("number of buckets", uint64(s.usage.shape.buckets.NumBuckets())); n > 0 {
		h.total = r.fixed("total weight")
		h.reference = r.signed("reference time", 0, math.MaxInt64)
		h.weights = decodeWeights(r, int(n))
	}
	if r.err == nil && !s.usage.load(h) {
		r.fail("a histogram holds what no histogram can")
	}
}

func decodeWeights(r *reader, n int) []bucketWeight {
	out := make([]bucketWeight, 0, n)
	next := 0
	for range n {
		bucket := next + int(r.number("gap between buckets", uint64(math.MaxUint16)))
		out = append(out, bucketWeight{bucket: bucket, weight: uint32(r.number("weight", math.MaxUint32))})
		next = bucket + 1
	}
	return out
}
