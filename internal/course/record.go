package course

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Replayed is how many days of a course are replayed. Where four weeks are known,
// they are four days apart, so that there is one of each weekday.
const (
	Replayed = 7
	apart    = 4
)

// Record is some days of a course one after the other, in fine steps, as if nothing
// had been between them.
type Record struct {
	Start time.Time
	Used  []scale.Amount
	// Rooms are those of the same steps; nil where no room was ever seen.
	Rooms []scale.Amount
}

// Step is the time between two values of a record.
func (Record) Step() time.Duration { return Fine }

// Record returns what is replayed of a course at a moment. There is none while less
// than most of a day is known.
//
// Days before the last are only known in coarse steps. Straight lines between them
// would be a gift to whoever follows trends, so they have the ripple that the last
// day has at the same time.
func (c *Course) Record(until time.Time) (Record, bool) {
	end := until.Unix() / c.day.step
	last := c.fine(end)
	if last == nil {
		return Record{}, false
	}
	days := c.known(end)
	out := Record{Start: time.Unix((end-int64(len(days)+1)*steps)*c.day.step, 0).UTC()}
	seen := false
	add := func(day []point) {
		for _, p := range day {
			seen = seen || p.room >= 0
			out.Used, out.Rooms = append(out.Used, p.used), append(out.Rooms, max(p.room, 0))
		}
	}
	lines := c.lines(end)
	for _, ago := range days {
		day := c.lines(end - ago*steps)
		for i := range day {
			day[i].used = day[i].used.Share(int64(last[i].used), int64(max(lines[i].used, 1)))
			// A ripple of a calm hour must not become a wave.
			day[i].used = min(day[i].used, 2*c.most(end-ago*steps))
		}
		add(day)
	}
	add(last)
	if !seen {
		out.Rooms = nil
	}
	return out, true
}

// steps is how many fine steps a day has, and coarse how many of them a coarse step
// has.
const (
	steps  = int64(Day / Fine)
	coarse = int64(Coarse / Fine)
)

type point struct{ used, room scale.Amount }

// fine is the day that ends at a fine step; nil where too little of it is known.
func (c *Course) fine(end int64) []point { return filled(end-steps, steps, c.day.of) }

// known are the days before the last that are replayed, by how many days ago they
// are, oldest first.
func (c *Course) known(end int64) []int64 {
	var order, out []int64
	for ago := int64(apart); ago < int64(Weeks/Day); ago += apart {
		order = append(order, ago)
	}
	for ago := int64(1); ago < int64(Weeks/Day); ago++ {
		if ago%apart != 0 {
			order = append(order, ago)
		}
	}
	for _, ago := range order {
		if len(out) < Replayed-1 && c.coarseDay(end-ago*steps) != nil {
			out = append(out, ago)
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

// coarseDay is the day that ends at a fine step, in coarse ones.
func (c *Course) coarseDay(end int64) []point {
	n := steps / coarse
	return filled(end/coarse-n, n, c.weeks.of)
}

// most is the most that was used in a coarse step of a day.
func (c *Course) most(end int64) scale.Amount {
	most := scale.Amount(1)
	for _, p := range c.coarseDay(end) {
		most = max(most, p.used)
	}
	return most
}

// lines are straight lines through the coarse steps of a day; all is nothing where
// too little is known.
func (c *Course) lines(end int64) []point {
	day, out := c.coarseDay(end), make([]point, steps)
	if day == nil {
		return out
	}
	for i := range out {
		// A mean stands for the middle of its step.
		at := max(int64(i)-coarse/2, 0)
		from, part := at/coarse, at%coarse
		to := min(from+1, int64(len(day)-1))
		a, b := day[from].used, day[to].used
		out[i] = point{a + (b-a)*scale.Amount(part)/scale.Amount(coarse), day[from].room}
	}
	return out
}

// filled are so many steps from one on. What is unknown is as it was before; nil
// where that is a quarter of them or more.
func filled(from, n int64, of func(int64) (used, room scale.Amount, known bool)) []point {
	out, missing, first := make([]point, 0, n), int64(0), true
	for i := from; i < from+n; i++ {
		used, room, known := of(i)
		switch {
		case known && first:
			// What comes before the first that is known is like it.
			for j := range out {
				out[j] = point{used, room}
			}
			first = false
			out = append(out, point{used, room})
		case known:
			if room < 0 && len(out) > 0 {
				room = out[len(out)-1].room
			}
			out = append(out, point{used, room})
		default:
			missing++
			if len(out) > 0 {
				out = append(out, out[len(out)-1])
			} else {
				out = append(out, point{0, Unknown})
			}
		}
	}
	if missing*4 >= n {
		return nil
	}
	return out
}
