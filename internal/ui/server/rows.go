package server

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// rowText is a row as it is sent. It stays the same one for as long as the row does.
type rowText struct {
	feed.Key
	text json.RawMessage
}

// written are the rows of a feed as they are sent: once for all streams, which keep no
// texts of their own.
type written struct {
	mu   sync.Mutex
	rows []*rowText
	// changed is closed once they are not the last any more, and at is when they were.
	changed <-chan struct{}
	at      time.Time
}

// of are the rows by their keys, and what is closed once there are others. What was
// written a moment ago will do: who waits for others asks again then.
func (w *written) of(f feed.Feed) ([]*rowText, <-chan struct{}, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed != nil && w.fresh() {
		return w.rows, w.changed, nil
	}
	changed, all := f.Changed(), f.Fleet()
	if byKey := func(a, b feed.Row) int { return a.Key.Compare(b.Key) }; !slices.IsSortedFunc(all, byKey) {
		all = slices.SortedFunc(slices.Values(all), byKey)
	}
	next, old := make([]*rowText, 0, len(all)), w.rows
	var text bytes.Buffer
	to := json.NewEncoder(&text)
	for i := range all {
		text.Reset()
		if err := to.Encode(&all[i]); err != nil {
			return nil, nil, err
		}
		for len(old) > 0 && old[0].Compare(all[i].Key) < 0 {
			old = old[1:]
		}
		line := bytes.TrimSuffix(text.Bytes(), []byte("\n"))
		if len(old) > 0 && old[0].Key == all[i].Key && bytes.Equal(old[0].text, line) {
			next = append(next, old[0])
			continue
		}
		next = append(next, &rowText{all[i].Key, bytes.Clone(line)})
	}
	w.rows, w.changed, w.at = next, changed, time.Now()
	return next, changed, nil
}

// fresh tells whether the rows need not be written again.
func (w *written) fresh() bool {
	age := time.Since(w.at)
	select {
	case <-w.changed:
		return age < pace
	default:
		return age < pulse
	}
}

// changes are the rows that are not what they were, and the keys of those that are gone;
// both lists are sorted by their keys.
func changes(before, after []*rowText) (rows []*rowText, gone []feed.Key) {
	for _, row := range after {
		for len(before) > 0 && before[0].Compare(row.Key) < 0 {
			gone, before = append(gone, before[0].Key), before[1:]
		}
		if len(before) > 0 && before[0].Key == row.Key {
			same := before[0] == row
			before = before[1:]
			if same {
				continue
			}
		}
		rows = append(rows, row)
	}
	for _, row := range before {
		gone = append(gone, row.Key)
	}
	return rows, gone
}
