package trace

import (
	"fmt"
	"maps"
	"slices"
)

// bySeries are the samples of CSV, apart by the labels or the column they stand in.
type bySeries struct {
	series map[string]*samples
	total  int
}

func newBySeries() bySeries { return bySeries{series: map[string]*samples{}} }

// collect adds a sample to a series.
func (b *bySeries) collect(name string, report *Report, where place, at int64, text string) error {
	if b.total++; b.total > MaxPoints {
		return fmt.Errorf("%w: it has more than %d samples", ErrTooLong, MaxPoints)
	}
	one := b.series[name]
	if one == nil {
		one = &samples{}
		b.series[name] = one
	}
	return one.collect(report, where, at, text)
}

// together puts each series in order and all of them behind one another. What is
// empty before the first value of one, or after its last, is a pod that is not
// there yet, or no more, and not one of which nothing is known. Series whose
// samples are at different times cannot be added up: at each of them most of the
// pods would be missing from the sum.
func (b *bySeries) together(report *Report, labeled bool) (samples, error) {
	report.Series = max(len(b.series), 1)
	all := make(samples, 0, b.total)
	for _, name := range slices.Sorted(maps.Keys(b.series)) {
		one := b.series[name].ordered(report, "CSV")
		if len(b.series) > 1 {
			one = one.alive()
		}
		*b.series[name] = one
		all = append(all, one...)
	}
	if !labeled || len(b.series) < 2 {
		return all, nil
	}
	times, expected := all.times(), 0
	for _, one := range b.series {
		if n := len(*one); n > 0 {
			from, _ := slices.BinarySearch(times, (*one)[0].at)
			to, _ := slices.BinarySearch(times, (*one)[n-1].at)
			expected += to - from + 1
		}
	}
	if len(all)*4 < expected*3 {
		return nil, fmt.Errorf("%w: its %d series have their samples at different times, so they cannot be added up: "+
			"export them with the same times for all, or already added up", ErrNotTrace, len(b.series))
	}
	return all, nil
}

// alive is a series from its first value to its last.
func (s samples) alive() samples {
	known := func(one sample) bool { return one.value != missing }
	first := slices.IndexFunc(s, known)
	if first < 0 {
		return nil
	}
	last := len(s)
	for !known(s[last-1]) {
		last--
	}
	return s[first:last]
}

// times are the moments at which there is any sample.
func (s samples) times() []int64 {
	out := make([]int64, 0, len(s))
	for _, one := range s {
		out = append(out, one.at)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
