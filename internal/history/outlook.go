package history

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Demand remembers how far demand was from what was forecast, one lead later: the
// time from a measurement to when a decision about it is in force. Several
// forecasts compete by their own errors, and none has to be believed.
//
// Beside it, by how much the room on nodes changed within the same time.
type Demand struct {
	errors [ways]spread
	room   spread
	// way is the forecast that is used, the best so far but for a little.
	way int
	// means are demand over each way's memory, in 256ths of a thousandth; the first
	// is demand itself.
	means [ways]int64
	// last is when demand was last observed, in Unix milliseconds.
	last int64
	ring []forecasted
	// season competes as well where the lead is minutes, and is nil elsewhere.
	season *season
}

// forecasted is what was forecast at a moment, in Unix milliseconds. The room is -1
// where it was not known.
type forecasted struct {
	at    int64
	means [ways]int64
	room  scale.Amount
	// byDay is the forecast by the time of day, where there is one.
	byDay int64
}

// ways is how many forecasts there are: that demand stays what it is, or what it was
// on average. Trends were tried and won nothing (docs/benchmarks.md). The time of day
// is one more, where the lead is minutes.
const ways = 4

// bySeason is the way of the season.
const bySeason = ways

// memories are how long each mean remembers.
var memories = [ways]time.Duration{0, 45 * time.Second, 5 * time.Minute, time.Hour}

const (
	// maxForecasts bounds the ring, and leadParts is in how many parts of a lead
	// forecasts are remembered.
	maxForecasts = 2 * leadParts
	leadParts    = 32
	// betterBy is by how many percent another forecast has to be better.
	betterBy = 2
	// assumedShare is the usual error that is assumed at first: a sixteenth of the
	// demand.
	assumedShare = 16
	// assumedRoom is by how much room changes, until that was seen.
	assumedRoom = 30
)

// NewDemand returns a demand that knows nothing yet.
func NewDemand() *Demand { return &Demand{} }

// Observe notes what was asked for at a moment, and the room at that time, -1 where
// it is not known. Only later moments count.
func (d *Demand) Observe(at time.Time, asked, room scale.Amount, lead time.Duration) {
	now, takes := at.UnixMilli(), min(max(lead, minReaction), MaxReaction).Milliseconds()
	if asked < 0 || !plausible(at) || now <= d.last {
		return
	}
	asked = min(asked, mostError)
	after := now - d.last
	if after > max(2*takes, 2*patience.Milliseconds()) {
		d.ring = d.ring[:0]
		for i := range d.means {
			d.means[i] = int64(asked) << sizeShift
		}
	}
	if d.errors[0].size == 0 && asked > 0 {
		for i := range d.errors {
			d.errors[i].begin(now, int64(asked)<<sizeShift/assumedShare)
		}
		d.room.begin(now, assumedRoom<<sizeShift)
	}
	d.compare(now, after, asked, room, now-takes)
	d.last = now
	for i := range d.means {
		if i == 0 {
			d.means[i] = int64(asked) << sizeShift
			continue
		}
		d.means[i] = nearer(d.means[i], int64(asked)<<sizeShift, after, memories[i].Milliseconds()+after)
	}
	byDay := d.seasonal(now, takes, asked)
	d.remember(forecasted{at: now, means: d.means, room: room, byDay: byDay}, takes)
	d.choose()
}

// seasonal forecasts by the time of day: what the best of the others says, and what is
// usual from now to then.
func (d *Demand) seasonal(now, takes int64, asked scale.Amount) int64 {
	if takes < seasonalFrom.Milliseconds() {
		if d.season != nil {
			d.endSeason()
		}
		return 0
	}
	if d.season == nil {
		d.season = &season{slot: now / slotMillis, errors: d.errors[d.way]}
	}
	d.season.note(now, asked)
	d.season.expected = max(d.season.forecast(d.means[d.best()], now, takes), 1)
	return d.season.expected
}

// endSeason forgets the course of days, where the lead is short by now.
func (d *Demand) endSeason() {
	d.season, d.way = nil, d.best()
	for i := range d.ring {
		d.ring[i].byDay = 0
	}
}

// nearer moves a mean by a share of its distance to a new value.
func nearer(mean, to, by, of int64) int64 {
	if to >= mean {
		return mean + int64(scale.Amount(to-mean).Share(by, of))
	}
	return mean - int64(scale.Amount(mean-to).Share(by, of))
}

// compare learns from what was forecast a lead ago: from the forecasts just before
// and just after that moment, by how near they are to it.
func (d *Demand) compare(now, after int64, asked, room scale.Amount, then int64) {
	for i := 0; i+1 < len(d.ring); i++ {
		a, b := &d.ring[i], &d.ring[i+1]
		if a.at > then || b.at <= then {
			continue
		}
		share := uint64(oneReaction * (b.at - then) / (b.at - a.at))
		d.learn(a, now, after, asked, room, share)
		d.learn(b, now, after, asked, room, oneReaction-share)
		return
	}
}

func (d *Demand) learn(f *forecasted, now, after int64, asked, room scale.Amount, share uint64) {
	if share == 0 {
		return
	}
	for i := range d.errors {
		d.errors[i].add(now, after, int64(asked)-f.means[i]>>sizeShift, share)
	}
	if d.season != nil && f.byDay > 0 {
		d.season.errors.add(now, after, int64(asked)-f.byDay>>sizeShift, share)
	}
	if room >= 0 && f.room >= 0 {
		d.room.add(now, after, int64(room-f.room), share)
	}
}

func (d *Demand) remember(f forecasted, takes int64) {
	if n := len(d.ring); n > 1 && f.at-d.ring[n-2].at < takes/leadParts {
		d.ring = d.ring[:n-1] // The one between says nothing new.
	}
	if len(d.ring) == maxForecasts {
		copy(d.ring, d.ring[1:])
		d.ring = d.ring[:maxForecasts-1]
	}
	d.ring = append(d.ring, f)
}

// choose takes the forecast whose errors were smallest, if it is better by enough.
func (d *Demand) choose() {
	for i := range d.errors {
		d.chooseIf(i)
	}
	if d.season != nil {
		d.chooseIf(bySeason)
	}
}

func (d *Demand) chooseIf(way int) {
	if d.spread(way).score*100 < d.spread(d.way).score*(100-betterBy) {
		d.way = way
	}
}

// best is the best of the forecasts that know no time of day.
func (d *Demand) best() int {
	best := 0
	for i := range d.errors {
		if d.errors[i].score < d.errors[best].score {
			best = i
		}
	}
	return best
}

// spread is the errors of a forecast.
func (d *Demand) spread(way int) *spread {
	if way == bySeason {
		return &d.season.errors
	}
	return &d.errors[way]
}

// Known tells whether anything was observed yet.
func (d *Demand) Known() bool { return d.errors[0].size > 0 }

// Of returns what may be asked for one lead after a moment at which so much was:
// what is expected, and what may come of it. Where demand is only guessed, what it
// was before says nothing.
func (d *Demand) Of(asked scale.Amount, guessed bool) (expected scale.Amount, may []scale.Likely) {
	expected, way := asked, d.way
	if guessed {
		way = 0
	}
	switch {
	case way == bySeason:
		expected = scale.Amount(d.season.expected >> sizeShift)
	case way > 0:
		expected = scale.Amount(d.means[way] >> sizeShift)
	}
	return expected, d.spread(way).around(expected, demandCuts, make([]scale.Likely, 0, len(demandCuts)))
}

// RoomFrom returns what room there may be one lead after it was so much, and never
// more than pods may use of it.
func (d *Demand) RoomFrom(room, most scale.Amount) []scale.Likely {
	may := d.room.around(room, roomCuts, make([]scale.Likely, 0, len(roomCuts)))
	for i := range may {
		may[i].Amount = min(may[i].Amount, most)
	}
	return may
}
