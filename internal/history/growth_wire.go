package history

import (
	"math"

	"github.com/tidemark/tidemark/scale"
)

// encode writes the buckets in use, what is pending, and the last looks.
func (g *Growth) encode(w *writer) {
	for way := range g.sketches {
		g.sketches[way].encode(w)
	}
	w.signed(g.last)
	w.signed(g.begun)
	w.signed(int64(g.now))
	w.signed(int64(g.before))
	w.signed(g.ago)
	w.number(uint64(len(g.pending)))
	for _, m := range g.pending {
		w.signed(m.end - g.last)
		w.signed(int64(m.usage))
		w.signed(int64(m.peak - m.usage))
		w.signed(int64(m.rise))
		w.number(m.weight)
	}
	g.looks.encode(w)
}

func (s *sketch) encode(w *writer) {
	w.signed(s.tick)
	var row [bucketCount]uint64
	for bucket := range row {
		row[bucket] = s.weight(bucket)
	}
	sparse(w, row[:])
}

const latestMillis = latest * 1000

func (g *Growth) decode(r *reader) {
	for way := range g.sketches {
		g.sketches[way].decode(r)
	}
	g.last = r.signed("time of the last usage", 0, latestMillis)
	g.begun = r.signed("time of the last moment", 0, g.last)
	g.now = scale.Amount(r.signed("last usage", 0, math.MaxInt64))
	g.before = scale.Amount(r.signed("usage before", 0, math.MaxInt64))
	g.ago = r.signed("time between usages", 0, MaxReaction.Milliseconds())
	for range r.number("number of moments", maxPending) {
		m := moment{end: g.last + r.signed("end of a moment", 1, MaxReaction.Milliseconds())}
		m.usage = scale.Amount(r.signed("usage", 1, math.MaxInt64))
		m.peak = m.usage.Add(scale.Amount(r.signed("growth", 0, math.MaxInt64)))
		m.rise = scale.Amount(r.signed("rise", -math.MaxInt64, math.MaxInt64))
		m.weight = r.number("weight of a moment", oneReaction)
		if r.err != nil {
			return
		}
		g.pending = append(g.pending, m)
	}
	g.looks.decode(r)
}

func (s *sketch) decode(r *reader) {
	s.tick = r.signed("time of the growth", 0, latestMillis/tickMillis)
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
		s.raise(bucket, weight)
		next = bucket + 1
	}
}

// encode writes the looks, each time as the difference to the one before.
func (l *looks) encode(w *writer) {
	w.number(uint64(len(l.ring)))
	before := int64(0)
	for _, one := range l.ring {
		w.signed(one.at - before)
		w.signed(int64(one.Ready))
		w.signed(int64(one.Limit))
		before = one.at
	}
}

func (l *looks) decode(r *reader) {
	before := int64(0)
	for range r.number("number of looks", maxLooks) {
		one := Look{at: before + r.signed("time of a look", 1, latestMillis)}
		one.Ready = int32(r.signed("pods of a look", 0, math.MaxInt32))
		one.Limit = scale.Amount(r.signed("limit of a look", 0, math.MaxInt64))
		if one.at > latestMillis {
			r.fail("a look is out of range")
		}
		if r.err != nil {
			return
		}
		l.ring = append(l.ring, one)
		before = one.at
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
