package server

import (
	"slices"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// counting is a feed that notes how often its rows are asked for.
type counting struct {
	fake
	asked int
}

func (c *counting) Fleet() []feed.Row {
	c.asked++
	return c.fake.Fleet()
}

// TestRowsAreWrittenOnce: all streams share what was written, and a row that did not
// change is not written again.
func TestRowsAreWrittenOnce(t *testing.T) {
	f := &counting{fake: fake{changed: make(chan struct{})}}
	f.set(row("c", 1), row("a", 1), row("b", 1))
	var w written
	ask := func() []*rowText {
		rows, changed, err := w.of(f)
		if err != nil || changed == nil {
			t.Fatal(err)
		}
		return rows
	}
	first := ask()
	for range 30 {
		if again := ask(); &again[0] != &first[0] {
			t.Fatal("each stream has its own")
		}
	}
	if f.asked != 1 || first[0].Name != "a" || first[2].Name != "c" {
		t.Errorf("asked %d times for %v", f.asked, first)
	}
	f.set(row("a", 1), row("b", 2))
	w.at = time.Time{}
	second := ask()
	if len(second) != 2 || second[0] != first[0] || second[1] == first[1] {
		t.Errorf("%v, then %v", first, second)
	}
	rows, gone := changes(first, second)
	if len(rows) != 1 || rows[0] != second[1] || len(gone) != 1 || gone[0].Name != "c" {
		t.Errorf("%v %v", rows, gone)
	}
	rows, gone = changes(second, first)
	if !slices.Equal(rows, first[1:]) || gone != nil {
		t.Errorf("back again: %v %v", rows, gone)
	}
}
