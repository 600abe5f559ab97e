package limit

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// TimedValue is a count, or a total, that was desired at a moment.
type TimedValue struct {
	At    time.Time `json:"at"`
	Value int64     `json:"value"`
}

func (w *TimedValue) moment() *time.Time { return &w.At }

// Totals are the totals that were desired, by container and resource.
type Totals []DesiredTotals

// DesiredTotals are the totals that were desired of one container's resource.
type DesiredTotals struct {
	Container string       `json:"container"`
	Resource  string       `json:"resource"`
	Highs     []TimedValue `json:"highs,omitempty"`
	Lows      []TimedValue `json:"lows,omitempty"`
}

// monotonicWindow holds what can still be the largest or the smallest value of a
// window: the highs fall and the lows rise, so the first that has not expired is
// the extreme.
type monotonicWindow struct {
	highs, lows *[]TimedValue
}

// push remembers a value. Older ones that it outdoes can never matter again.
func (s monotonicWindow) push(r *Rules, w TimedValue) {
	*s.highs = pushed(*s.highs, w, r.Down.Window, r.Plain, func(old int64) bool { return old <= w.Value })
	*s.lows = pushed(*s.lows, w, r.Up.Window, r.Plain, func(old int64) bool { return old >= w.Value })
}

// around returns the smallest and the largest value of the windows, with the
// newest one.
func (s monotonicWindow) around(r *Rules, w TimedValue) (low, high int64) {
	low, high = w.Value, w.Value
	if all := unexpired(*s.highs, w.At, r.Down.Window, r.Plain); len(all) > 0 {
		high = max(high, all[0].Value)
	}
	if all := unexpired(*s.lows, w.At, r.Up.Window, r.Plain); len(all) > 0 {
		low = min(low, all[0].Value)
	}
	return low, high
}

func pushed(list []TimedValue, w TimedValue, window time.Duration, inclusive bool, outdone func(int64) bool) []TimedValue {
	for len(list) > 0 && outdone(list[len(list)-1].Value) {
		list = list[:len(list)-1]
	}
	list = unexpired(list, w.At, window, inclusive)
	if window == 0 {
		return nil
	}
	return mergeClosest(with(list, w), func(e TimedValue) time.Time { return e.At },
		func(older, younger TimedValue) TimedValue { return TimedValue{At: younger.At, Value: older.Value} })
}

func unexpired(list []TimedValue, at time.Time, window time.Duration, inclusive bool) []TimedValue {
	for len(list) > 0 {
		age := at.Sub(list[0].At)
		if age < window || (inclusive && age == window) {
			break
		}
		list = list[1:]
	}
	return list
}

// Total is what is desired of one container's resource at a moment, and what
// there is of it.
type Total struct {
	At               time.Time
	Container        string
	Resource         scale.Resource
	Desired, Applied scale.Amount
}

// Stabilize lets a total count only when the whole window agrees, as the function
// does for counts, and remembers it.
func (t *Totals) Stabilize(r *Rules, total Total) scale.Amount {
	i := slices.IndexFunc(*t, func(old DesiredTotals) bool {
		return old.Container == total.Container && old.Resource == total.Resource.String()
	})
	if i < 0 {
		i = len(*t)
		*t = append(*t, DesiredTotals{Container: total.Container, Resource: total.Resource.String()})
	}
	s, w := monotonicWindow{&(*t)[i].Highs, &(*t)[i].Lows}, TimedValue{At: total.At, Value: int64(total.Desired)}
	low, high := s.around(r, w)
	s.push(r, w)
	return scale.Amount(min(max(int64(total.Applied), low), high))
}

// recalled returns the totals as seen at a moment, as Past.Recalled does.
func (t Totals) recalled(at time.Time) Totals {
	if !slices.ContainsFunc(t, func(e DesiredTotals) bool {
		return late(e.Highs, at, (*TimedValue).moment) || late(e.Lows, at, (*TimedValue).moment)
	}) {
		return t
	}
	t = slices.Clone(t)
	for i := range t {
		t[i].Highs, t[i].Lows = recalled(t[i].Highs, at, (*TimedValue).moment), recalled(t[i].Lows, at, (*TimedValue).moment)
	}
	return t
}
