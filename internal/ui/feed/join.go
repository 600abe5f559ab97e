package feed

import "slices"

// Join is a history with another one before it, as far as that goes back further.
// Both stay as they are.
func Join(before, after *History) *History {
	out := &History{Held: after.Held}
	until := int64(0)
	after.mu.RLock()
	if len(after.at) > 0 {
		until = after.at[0]
	}
	after.mu.RUnlock()
	out.append(before, until)
	out.append(after, 0)
	return out
}

// append adds the rows of another history that come before a moment, or all where
// that is 0.
func (h *History) append(from *History, until int64) {
	from.mu.RLock()
	defer from.mu.RUnlock()
	rows := len(from.at)
	if until > 0 {
		rows, _ = slices.BinarySearch(from.at, until)
	}
	had := len(h.at)
	h.at = append(h.at, from.at[:rows]...)
	for i := range h.values {
		h.values[i] = append(h.values[i], from.values[i][:rows]...)
	}
	for i := range from.metrics {
		m := &from.metrics[i]
		into := h.column(Reading{Name: m.name, Unit: m.unit})
		into.fill(had)
		n := min(rows, len(m.value))
		into.value, into.low, into.high = append(into.value, m.value[:n]...), append(into.low, m.low[:n]...), append(into.high, m.high[:n]...)
	}
	for i := range h.metrics {
		h.metrics[i].fill(len(h.at))
	}
	h.appendWords(from, rows)
	h.last = from.last
}

// appendWords adds what rows say: the numbers of words are others here.
func (h *History) appendWords(from *History, rows int) {
	number := make([]uint8, len(from.words))
	for i, w := range from.words {
		number[i] = h.wordOf(w)
	}
	for _, column := range []struct {
		into *[]uint8
		from []uint8
	}{{&h.reasons, from.reasons}, {&h.limits, from.limits}, {&h.mins, from.mins}, {&h.maxs, from.maxs}} {
		for _, w := range column.from[:rows] {
			*column.into = append(*column.into, number[w])
		}
	}
	end := int64(0)
	if rows > 0 {
		end = from.at[rows-1]*1000 + 999
	}
	for _, c := range from.changes {
		if c.at <= end {
			h.changes = append(h.changes, change{c.at, c.headline, number[c.reason], number[c.limited]})
		}
	}
	for _, m := range from.marks {
		if m.At <= end {
			h.marks = append(h.marks, m)
		}
	}
}
