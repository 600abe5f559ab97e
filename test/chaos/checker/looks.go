package checker

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/test/chaos/trail"
)

// Beside what is promised, everything may take what the machine takes: some seconds,
// and more where the campaign's own requests are slow.
const (
	patience  = 5 * time.Second
	timesSlow = 10
)

// judgeLooks: in each calm, every object is looked at soon.
func (c *Checker) judgeLooks() {
	var began *moment[trail.Fault]
	for i := range c.faults {
		f := &c.faults[i]
		if f.is.Name != trail.Calm {
			continue
		}
		if f.is.Phase == trail.Begins {
			began = f
		} else if began != nil {
			for _, o := range c.objects {
				c.judgeResumed(o, began.at, f)
			}
			began = nil
		}
	}
}

func (c *Checker) judgeResumed(o *object, began time.Time, calm *moment[trail.Fault]) {
	period := time.Duration(0)
	for i := range o.statuses {
		if s := &o.statuses[i]; s.at.Before(began) {
			period = s.period
			if s.deleted {
				period = 0
			}
		}
	}
	if period == 0 {
		return // it is not there
	}
	c.judged[Looks]++
	most := 2*period + patience + timesSlow*calm.is.Slow
	came := calm.at
	for _, l := range o.looks {
		if l.seen.After(began) {
			came = l.seen
			break
		}
	}
	took := came.Sub(began)
	c.longest = max(c.longest, took)
	if took > most {
		c.violated(Looks, o.name, began, "a look came after %s, and the period is %s", took, period)
	}
}

// The most that a controller may use, and by how much it may grow: nothing of the
// campaign needs more, and what leaks goes on and on.
const (
	mostMemory, moreMemory           = 400 << 20, 100 << 20
	mostGoroutines, moreGoroutines   = 2000, 300
	mostDescriptors, moreDescriptors = 500, 100
	// enough is how many samples show whether something grows.
	enough = 20
)

func (c *Checker) judgeResources() {
	for who, all := range c.samples {
		for _, one := range []struct {
			what       string
			most, more int64
			of         func(*trail.Sample) int64
		}{
			{"bytes of memory", mostMemory, moreMemory, func(s *trail.Sample) int64 { return s.Memory }},
			{"goroutines", mostGoroutines, moreGoroutines, func(s *trail.Sample) int64 { return s.Goroutines }},
			{"descriptors", mostDescriptors, moreDescriptors, func(s *trail.Sample) int64 { return s.Descriptors }},
		} {
			if len(all) >= enough {
				c.judged[Resources]++
			}
			var values []int64
			for i := range all {
				values = append(values, one.of(&all[i].is))
			}
			at := all[len(all)-1].at
			if most := slices.Max(values); most > one.most {
				c.violated(Resources, "", at, "%s has %d %s", who, most, one.what)
			}
			if before, now := grows(values, one.more/2); now > before {
				c.violated(Resources, "", at, "%s has %d %s, and had %d before", who, now, one.what, before)
			}
		}
	}
}

// grows returns the usual values in the first third of a time and in the last, where
// each third has that much more than the one before; else nothing. What a process takes
// while it starts, it takes once.
func grows(values []int64, by int64) (before, now int64) {
	if len(values) < enough {
		return 0, 0
	}
	third := len(values) / 3
	first, second, last := median(values[:third]), median(values[third:2*third]), median(values[2*third:])
	if second > first+by && last > second+by {
		return first, last
	}
	return 0, 0
}

func median(values []int64) int64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
