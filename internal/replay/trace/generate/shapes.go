package generate

import (
	"time"

	"github.com/tidemark/tidemark/internal/seeded"
)

// million is a usual level.
const million = 1_000_000

const day = 24 * time.Hour

// daily is a wave with its peak at 14:00, five times its trough.
func daily(o Options, d *seeded.Dice) func(time.Duration) int64 {
	rough := noise(d, 4)
	return func(at time.Duration) int64 {
		return rough(million + wave(clock(o, at)-8*time.Hour)*2/3)
	}
}

// weekly is a daily wave with quiet weekends.
func weekly(o Options, d *seeded.Dice) func(time.Duration) int64 {
	rough := noise(d, 4)
	return func(at time.Duration) int64 {
		level := million + wave(clock(o, at)-8*time.Hour)*2/3
		switch o.Start.Add(at).UTC().Weekday() {
		case time.Saturday:
			level = level * 45 / 100
		case time.Sunday:
			level = level * 35 / 100
		}
		return rough(level)
	}
}

// ramp grows from a fifth of its mean to nine times that.
func ramp(o Options, d *seeded.Dice) func(time.Duration) int64 {
	rough := noise(d, 3)
	steps := max(int64(o.Length/o.Step)-1, 1)
	return func(at time.Duration) int64 {
		return rough(million/5 + int64(at/o.Step)*(million*8/5)/steps)
	}
}

// step holds a level for two to eight hours and then jumps to another.
func step(_ Options, d *seeded.Dice) func(time.Duration) int64 {
	rough := noise(d, 2)
	var level int64
	var until time.Duration
	return func(at time.Duration) int64 {
		if at >= until {
			level = d.Between(million/4, million*7/4)
			until = at + time.Duration(d.Between(2*60, 8*60))*time.Minute
		}
		return rough(level)
	}
}

// bursty is a low and rough level with bursts of two to six times it, one in
// two hours or so, that come within a step and last five to thirty minutes.
func bursty(o Options, d *seeded.Dice) func(time.Duration) int64 {
	rough := noise(d, 10)
	var factor int64
	var until time.Duration
	return func(at time.Duration) int64 {
		if at >= until && d.Between(0, int64(2*time.Hour)) < int64(o.Step) {
			factor = d.Between(2, 6)
			until = at + time.Duration(d.Between(5, 30))*time.Minute
		}
		if at < until {
			return rough(million * factor)
		}
		return rough(million)
	}
}

// flashCrowd is a gentle daily wave, and about every other day a crowd of four
// to ten times the usual level: it comes within three minutes, and half of it
// is gone every twenty.
func flashCrowd(o Options, d *seeded.Dice) func(time.Duration) int64 {
	const rise, halfLife = 3 * time.Minute, 20 * time.Minute
	rough := noise(d, 4)
	began, height := -longest, int64(0)
	next := time.Duration(d.Between(int64(min(2*time.Hour, o.Length/4)), int64(min(day, o.Length/2))))
	return func(at time.Duration) int64 {
		if at >= next {
			began, height = at, d.Between(4*million, 10*million)
			next = at + time.Duration(d.Between(int64(day), int64(3*day)))
		}
		level := million + wave(clock(o, at)-8*time.Hour)/4
		if since := at - began; since < rise {
			level += height * int64(since/time.Second+1) / int64(rise/time.Second)
		} else {
			level += halved(height, since-rise, halfLife)
		}
		return rough(level)
	}
}

// noise returns a roughness of about so many percent. It drifts, so that
// neighbors are alike, as they are in real demand.
func noise(d *seeded.Dice, percent int64) func(level int64) int64 {
	drift, most := int64(0), percent*million/100
	return func(level int64) int64 {
		drift = drift*3/4 + d.Between(-most, most)/2
		return level + level/1000*drift/1000
	}
}

// clock is the time of day at a moment of the demand.
func clock(o Options, at time.Duration) time.Duration {
	t := o.Start.Add(at).UTC()
	return t.Sub(t.Truncate(day))
}

// wave is the sine of a day in millionths by Bhaskara's approximation, which needs no
// float and is right to two thousandths.
func wave(phase time.Duration) int64 {
	p, half := int64((phase%day+day)%day/time.Second), int64(day/2/time.Second)
	sign := int64(1)
	if p >= half {
		p, sign = p-half, -1
	}
	arc := p * (half - p)
	return sign * 16 * arc * 1000 / max((5*half*half-4*arc)/1000, 1)
}

// halved is what is left of a height after a time, straight between half-lives.
func halved(height int64, since, halfLife time.Duration) int64 {
	whole := since / halfLife
	if whole > 40 {
		return 0
	}
	height >>= uint(whole)
	return height - height*int64(since%halfLife/time.Second)/int64(2*halfLife/time.Second)
}
