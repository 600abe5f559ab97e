package main

import (
	"cmp"
	"slices"
	"time"
)

// quantiles are how late looks come, in seconds. Least says that the truth is
// at least as much: the measurement was too short, or the last bucket has no end.
type quantiles struct {
	P50      float64 `json:"p50"`
	P99      float64 `json:"p99"`
	LeastP50 bool    `json:"p50IsAtLeast,omitempty"`
	LeastP99 bool    `json:"p99IsAtLeast,omitempty"`
}

// between returns the quantiles of what a histogram counted between two moments.
func between(before, after []bucket) quantiles {
	counted := slices.Clone(after)
	for i := range counted {
		if i < len(before) {
			counted[i].count -= before[i].count
		}
	}
	var q quantiles
	q.P50, q.LeastP50 = quantile(counted, 0.5)
	q.P99, q.LeastP99 = quantile(counted, 0.99)
	return q
}

// quantile is Prometheus': on a straight line within the bucket it falls into.
func quantile(buckets []bucket, share float64) (value float64, atLeast bool) {
	n := len(buckets)
	if n < 2 || buckets[n-1].count == 0 {
		return 0, false
	}
	rank := share * buckets[n-1].count
	i := slices.IndexFunc(buckets, func(b bucket) bool { return b.count >= rank })
	if i == n-1 {
		return buckets[n-2].bound, true
	}
	low, below := 0.0, 0.0
	if i > 0 {
		low, below = buckets[i-1].bound, buckets[i-1].count
	}
	if buckets[i].count == below {
		return low, false
	}
	return low + (buckets[i].bound-low)*(rank-below)/(buckets[i].count-below), false
}

// gap is the time between two looks at one object; open when the second one
// had not come by the end.
type gap struct {
	time.Duration
	open bool
}

// lateness is by how much the looks at each of n objects came later than a
// period after the look before. A look that is overdue at the end counts with
// the time it is late by then, and one at an object that was never looked at as
// if the last had been at the beginning.
func lateness(looks map[string][]time.Time, n int, during span) quantiles {
	var all []gap
	for _, at := range looks {
		slices.SortFunc(at, time.Time.Compare)
		for i := 1; i < len(at); i++ {
			all = append(all, gap{Duration: max(0, at[i].Sub(at[i-1])-period)})
		}
		if open := during.to.Sub(at[len(at)-1]) - period; open > 0 {
			all = append(all, gap{open, true})
		}
	}
	for range n - len(looks) {
		all = append(all, gap{during.to.Sub(during.from) - period, true})
	}
	if len(all) == 0 {
		return quantiles{}
	}
	slices.SortFunc(all, func(a, b gap) int { return cmp.Compare(a.Duration, b.Duration) })
	pick := func(percent int) (float64, bool) {
		one := all[(len(all)*percent+99)/100-1]
		return one.Seconds(), one.open
	}
	var q quantiles
	q.P50, q.LeastP50 = pick(50)
	q.P99, q.LeastP99 = pick(99)
	return q
}
