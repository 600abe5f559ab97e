package feed

import "math"

// buckets of half an hour are a day.
const (
	buckets = 48
	bucket  = 30 * 60
)

// day is the last day of a workload in few bytes: a fleet has thousands.
type day struct {
	// newest is the number of the newest bucket since the beginning of Unix time,
	// where any is known.
	newest int64
	known  bool
	ring   [buckets]slot
}

// slot is half an hour.
type slot struct {
	// demand is the largest, capacity the mean of those that were known.
	demand, capacity float32
	known            float32
	// changes is how often the size changed, starved for how many seconds more was
	// asked for than could be done.
	changes uint16
	starved uint16
	// used and asked are core-seconds that were used, and requested.
	used, asked float32
}

// slot is the one of a number; recordings may begin before the year 1970.
func (d *day) slot(number int64) *slot { return &d.ring[(number%buckets+buckets)%buckets] }

// add counts what was until now, and what is decided now.
func (d *day) add(before, now *Moment, seconds int64) {
	number := now.At.Unix() / bucket
	if !d.known || number-d.newest > buckets {
		d.newest, d.known = number-buckets, true
	}
	for ; d.newest < number; d.newest++ {
		*d.slot(d.newest + 1) = slot{}
	}
	s := d.slot(number)
	if demand, capacity := now.Values[Demand], now.Values[Capacity]; !nan(demand) && !nan(capacity) {
		s.demand = max(s.demand, demand)
		s.capacity = (s.capacity*s.known + capacity) / (s.known + 1)
		s.known++
	}
	if now.Changed {
		s.changes++
	}
	if before.At.IsZero() || seconds > bucket {
		return
	}
	demand, capacity := before.Values[Demand], before.Values[Capacity]
	if demand > capacity {
		s.starved += uint16(seconds)
	}
	if asked := before.Values[Replicas] * before.Values[CPU]; !nan(asked) && !nan(demand) {
		s.used += min(demand, asked) * float32(seconds)
		s.asked += asked * float32(seconds)
	}
}

// Day is a summary of the last day.
type Day struct {
	// Demand and Capacity are a picture of the day: a character for each half hour,
	// of an alphabet of 64 that goes from nothing to Top cores; a blank is unknown.
	Demand, Capacity string
	Top              float64
	Changes          int
	// Starved is for how many minutes more was asked for than could be done.
	Starved float64
	// Waste is the share of the requested cores that was not used, in percent; nil
	// where that is not known.
	Waste *float64
	// Unused are the core-hours of which that is the share.
	Unused float64
}

func (d *day) summary() Day {
	var out Day
	top, used, asked := float32(0), float32(0), float32(0)
	for i := range d.ring {
		s := &d.ring[i]
		top = max(top, s.demand, s.capacity)
		out.Changes += int(s.changes)
		out.Starved += float64(s.starved) / 60
		used, asked = used+s.used, asked+s.asked
	}
	demand, capacity := make([]byte, 0, buckets), make([]byte, 0, buckets)
	for i := range int64(buckets) {
		s := d.slot(d.newest + 1 + i)
		if s.known == 0 {
			demand, capacity = append(demand, ' '), append(capacity, ' ')
			continue
		}
		demand, capacity = append(demand, digit(s.demand, top)), append(capacity, digit(s.capacity, top))
	}
	out.Demand, out.Capacity, out.Top = string(demand), string(capacity), float64(top)
	if asked > 0 {
		waste := math.Round(1000*float64(1-used/asked)) / 10
		out.Waste, out.Unused = &waste, float64(asked-used)/3600
	}
	return out
}

// alphabet writes a number below 64 as a character.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

func digit(v, top float32) byte {
	if top <= 0 {
		return alphabet[0]
	}
	return alphabet[int(v/top*(float32(len(alphabet)-1))+0.5)]
}

func nan(v float32) bool { return v != v }
