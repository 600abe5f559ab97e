package history

import (
	"math"

	"github.com/tidemark/tidemark/scale"
)

const (
	mostSize   = mostError << sizeShift
	latestTick = latestMillis / spreadTick
)

// encode writes the errors of each forecast, and those that are not over yet.
func (d *Demand) encode(w *writer) {
	for i := range d.errors {
		d.errors[i].encode(w)
	}
	d.room.encode(w)
	if d.season == nil {
		w.number(0)
	} else {
		w.number(1)
		d.season.encode(w)
	}
	w.number(uint64(d.way))
	w.signed(d.last)
	for _, mean := range d.means {
		w.signed(mean)
	}
	w.number(uint64(len(d.ring)))
	before := int64(0)
	for i := range d.ring {
		one := &d.ring[i]
		w.signed(one.at - before)
		w.signed(int64(one.room))
		for _, mean := range one.means {
			w.signed(mean)
		}
		if d.season != nil {
			w.signed(one.byDay)
		}
		before = one.at
	}
}

func (d *Demand) decode(r *reader, written uint64) {
	for i := range d.errors {
		d.errors[i].decode(r)
	}
	d.room.decode(r)
	seasonal := written >= 5 && r.number("season", 1) == 1
	ways := uint64(ways)
	if seasonal {
		d.season = &season{}
		d.season.decode(r)
		ways++
	}
	d.way = int(r.number("forecast", ways-1))
	d.last = r.signed("time of the demand", 0, latestMillis)
	for i := range d.means {
		d.means[i] = r.signed("mean demand", 0, mostSize)
	}
	before := int64(0)
	for range r.number("number of forecasts", maxForecasts) {
		one := forecasted{at: before + r.signed("time of a forecast", 1, latestMillis), room: scale.Amount(r.signed("room", -1, math.MaxInt64))}
		for i := range one.means {
			one.means[i] = r.signed("forecast demand", 0, mostSize)
		}
		if seasonal {
			one.byDay = r.signed("forecast by the time of day", 0, mostSize)
		}
		if one.at > latestMillis {
			r.fail("a forecast is out of range")
		}
		if r.err != nil {
			return
		}
		d.ring, before = append(d.ring, one), one.at
	}
}

// encode writes the errors.
func (s *spread) encode(w *writer) {
	w.signed(s.size)
	w.signed(s.score)
	w.signed(s.tick)
	sparse(w, s.weights[:])
}

func (s *spread) decode(r *reader) {
	s.size = r.signed("size of errors", 0, mostSize)
	s.score = r.signed("score of a forecast", 0, mostSize)
	s.tick = r.signed("time of the errors", 0, latestTick)
	next := 0
	for range r.number("number of errors", spreadBuckets) {
		bucket := next + int(r.number("gap between errors", spreadBuckets))
		weight := r.number("weight of an error", maxBucketWeight)
		if bucket >= spreadBuckets || weight == 0 {
			r.fail("an error is out of range")
		}
		if r.err != nil {
			return
		}
		s.weights[bucket] = weight
		next = bucket + 1
	}
}
