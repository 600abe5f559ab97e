package history

import (
	"math"

	"github.com/tidemark/tidemark/scale"
)

// encode writes the buckets in use and what is pending.
func (g *Growth) encode(w *writer) {
	w.signed(g.sketch.tick)
	used := 0
	for _, weight := range g.sketch.weights {
		if weight > 0 {
			used++
		}
	}
	w.number(uint64(used))
	next := 0
	for bucket, weight := range g.sketch.weights {
		if weight > 0 {
			w.number(uint64(bucket - next))
			w.number(weight)
			next = bucket + 1
		}
	}
	w.signed(g.last)
	w.signed(g.begun)
	w.number(uint64(len(g.pending)))
	for _, m := range g.pending {
		w.signed(m.end - g.last)
		w.signed(int64(m.usage))
		w.signed(int64(m.peak - m.usage))
		w.number(m.weight)
	}
}

const latestMillis = latest * 1000

func (g *Growth) decode(r *reader) {
	g.sketch.tick = r.signed("time of the growth", 0, latestMillis/tickMillis)
	next := 0
	for range r.number("number of growths", bucketCount) {
		bucket := next + int(r.number("gap between growths", bucketCount))
		weight := r.number("weight of a growth", maxBucketWeight)
		if bucket >= bucketCount || weight == 0 {
			r.fail("a growth is out of range")
		}
		if r.err != nil {
			return
		}
		g.sketch.weights[bucket] = weight
		next = bucket + 1
	}
	g.last = r.signed("time of the last usage", 0, latestMillis)
	g.begun = r.signed("time of the last moment", 0, g.last)
	for range r.number("number of moments", maxPending) {
		m := moment{end: g.last + r.signed("end of a moment", 1, MaxReaction.Milliseconds())}
		m.usage = scale.Amount(r.signed("usage", 1, math.MaxInt64))
		m.peak = m.usage.Add(scale.Amount(r.signed("growth", 0, math.MaxInt64)))
		m.weight = r.number("weight of a moment", oneReaction)
		if r.err != nil {
			return
		}
		g.pending = append(g.pending, m)
	}
}

// encode writes the starts, each time as the difference to the one before.
func (s *StartUp) encode(w *writer) {
	w.number(uint64(len(s.starts)))
	before := int64(0)
	for _, one := range s.starts {
		w.signed(one.at - before)
		w.signed(one.millis)
		before = one.at
	}
}

func (s *StartUp) decode(r *reader) {
	before := int64(0)
	for range r.number("number of starts", MaxStartUps) {
		one := start{at: before + r.signed("time of a start", 0, latest), millis: r.signed("length of a start", 0, MaxStartUp.Milliseconds())}
		if one.at > latest {
			r.fail("a start is out of range")
		}
		if r.err != nil || !s.add(one) {
			r.fail("starts are not in order")
			return
		}
		before = one.at
	}
}
