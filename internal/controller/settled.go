package controller

import (
	"bytes"
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/elastic"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/internal/record"
)

// sameMemory tells whether a controller that starts with the memory before holds
// everything back that one with the memory after would. Moments that moved on at
// rest do not matter, because resumed makes up for them. A memory that cannot be
// read is worth replacing.
func sameMemory(before, after *runtime.RawExtension) bool {
	if before == nil || after == nil {
		return before == after
	}
	if bytes.Equal(before.Raw, after.Raw) {
		return true
	}
	a, err := decodeFast(before)
	if err != nil {
		return false
	}
	b, err := decodeFast(after)
	if err != nil || !slices.EqualFunc(a.Totals, b.Totals, covers) {
		return false
	}
	x, err := record.EncodeMemory(settled(a))
	if err != nil {
		return false
	}
	y, err := record.EncodeMemory(settled(b))
	return err == nil && bytes.Equal(x, y)
}

// decodeFast reads a memory in a faster way than recall does, because this happens
// each period for each object. Both refuse a field that is not known.
func decodeFast(raw *runtime.RawExtension) (engine.Memory, error) {
	var m engine.Memory
	decoder := json.NewDecoder(bytes.NewReader(raw.Raw))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&m)
	return m, err
}

// settled returns the memory without the totals, and without the moments that no
// later decision could miss. A list of values with a single entry is at rest: the
// value was repeated, only its moment moved on. A list with several is in the
// middle of a window, where every moment counts.
func settled(m engine.Memory) engine.Memory {
	still := func(values []limit.TimedValue) []limit.TimedValue {
		if len(values) == 1 {
			return []limit.TimedValue{{Value: values[0].Value}}
		}
		return values
	}
	m.Highs, m.Lows, m.Totals = still(m.Highs), still(m.Lows), nil
	// Of totals to resize to there are often several, because nothing waits for
	// a window to end: only the moment of the newest moves on.
	if n := len(m.Elastic.Totals); n > 0 {
		m.Elastic.Totals = append(slices.Clone(m.Elastic.Totals[:n-1]), elastic.TimedTotal{Total: m.Elastic.Totals[n-1].Total})
	}
	return m
}

// wobble is the part of a total by which it moves at rest: usage is measured, and
// two measurements are never the same.
const wobble = 16

// covers tells whether the values of a total hold back what newer ones would. A
// total that only wobbles is at rest: a window holds as long by either, and to a
// value that differs by less than a measurement does.
func covers(before, after limit.DesiredTotals) bool {
	return before.Container == after.Container && before.Resource == after.Resource &&
		coverValues(before.Highs, after.Highs) && coverValues(before.Lows, after.Lows)
}

func coverValues(before, after []limit.TimedValue) bool {
	a, b := dedupe(before), dedupe(after)
	if len(a) == 1 && len(b) == 1 {
		return near(a[0].Value, b[0].Value)
	}
	return slices.EqualFunc(a, b, func(a, b limit.TimedValue) bool { return a.Value == b.Value && a.At.Equal(b.At) })
}

// near tells whether a total differs from the one that is kept by a wobble of that.
func near(kept, now int64) bool { return max(kept-now, now-kept) <= kept/wobble }

// dedupe leaves out the values that an older one stands for.
func dedupe(values []limit.TimedValue) []limit.TimedValue {
	var out []limit.TimedValue
	for _, w := range values {
		if n := len(out); n == 0 || !near(out[n-1].Value, w.Value) {
			out = append(out, w)
		}
	}
	return out
}
