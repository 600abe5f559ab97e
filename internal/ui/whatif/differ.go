package whatif

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Differences are the times in which two policies decided otherwise.
type Differences struct {
	Part string `json:"part"`
	// Times is how many there are, and Share the percentage of the time.
	Times int     `json:"times"`
	Share float64 `json:"share"`
	// Largest are those in which most core-hours differ, in the order of time.
	Largest []Difference `json:"largest"`
}

// Difference is a time in which the edited object wanted more than the present one,
// or less, all the time. Present and Edited are what was decided when they were
// furthest apart.
type Difference struct {
	From      int64   `json:"from"`
	Until     int64   `json:"until"`
	At        int64   `json:"at"`
	CoreHours float64 `json:"coreHours"`
	Present   Decided `json:"present"`
	Edited    Decided `json:"edited"`
}

// Decided is a decision in a few words, which are those of explain.
type Decided struct {
	Replicas int32   `json:"replicas"`
	CPU      float64 `json:"cpu"`
	Reason   string  `json:"reason"`
	Limited  string  `json:"limitedBy"`
}

// mostDifferences are as many as anyone reads, and longest is how long one may be:
// policies that never agree differ anew each day.
const (
	mostDifferences = 20
	longest         = int64(24 * time.Hour / time.Millisecond)
	hour            = float64(time.Hour / time.Millisecond)
)

// differ compares two courses of the same time, which ends at a moment.
func differ(part string, present, edited []hold, end int64) Differences {
	out := Differences{Part: part, Largest: []Difference{}}
	if len(present) == 0 || len(edited) == 0 {
		return out
	}
	var all []Difference
	var furthest float64
	var differing int64
	i, j := 0, 0
	for at := max(present[0].at, edited[0].at); at < end; {
		for ; i+1 < len(present) && present[i+1].at <= at; i++ {
		}
		for ; j+1 < len(edited) && edited[j+1].at <= at; j++ {
		}
		next := min(following(present, i, end), following(edited, j, end))
		a, b := present[i], edited[j]
		if !a.same(b) {
			next = min(next, at+longest)
			differing += next - at
			gap := b.cores() - a.cores()
			if n := len(all); n == 0 || all[n-1].Until != at || opposite(all[n-1].CoreHours, gap) || at-all[n-1].From >= longest {
				all, furthest = append(all, Difference{From: at}), -1
			}
			d := &all[len(all)-1]
			d.Until, d.CoreHours = next, d.CoreHours+gap*float64(next-at)/hour
			if math.Abs(gap) > furthest {
				furthest, d.At, d.Present, d.Edited = math.Abs(gap), at, decidedOf(a), decidedOf(b)
			}
		}
		at = next
	}
	out.Times = len(all)
	out.Share = 100 * float64(differing) / float64(max(end-max(present[0].at, edited[0].at), 1))
	slices.SortStableFunc(all, func(a, b Difference) int { return cmp.Compare(math.Abs(b.CoreHours), math.Abs(a.CoreHours)) })
	out.Largest = append(out.Largest, all[:min(len(all), mostDifferences)]...)
	slices.SortFunc(out.Largest, func(a, b Difference) int { return cmp.Compare(a.From, b.From) })
	return out
}

// following is when the next decision is another one.
func following(course []hold, i int, end int64) int64 {
	if i+1 < len(course) {
		return min(course[i+1].at, end)
	}
	return end
}

// opposite tells whether one is more and the other less.
func opposite(a, b float64) bool { return a > 0 && b < 0 || a < 0 && b > 0 }

func decidedOf(h hold) Decided {
	return Decided{Replicas: h.want, CPU: math.Round(float64(h.cpu)*1000) / 1000, Reason: string(h.reason), Limited: string(h.limited)}
}
