package draw_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
)

// TestTheSameEachTime draws numbers twice.
func TestTheSameEachTime(t *testing.T) {
	drawn := func() []int64 {
		var out []int64
		draw.Check(t, func(t *rapid.T) { out = append(out, rapid.Int64().Draw(t, "number")) })
		return out
	}
	if diff := cmp.Diff(drawn(), drawn()); diff != "" {
		t.Errorf("something else the second time (-first +second):\n%s", diff)
	}
}
