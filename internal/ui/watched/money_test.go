package watched

import (
	"math"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// TestMoney: where there are prices, what is saved and wasted is told in money. Two pods
// more, of half a core and a GiB, cost 24 × (36 + 2) a day; of 5 × 500m that are requested
// 2400m are used, and 100m for a minute at 36 an hour are 0.06.
func TestMoney(t *testing.T) {
	f, at, key := looking()
	f.Prices = feed.Prices{CPU: 36, Memory: 1}
	f.put(decidedAt(0))
	if row := f.Fleet()[0]; row.Money == nil || *row.Money != -912 || row.WasteMoney != nil {
		t.Errorf("before any look: %+v", row)
	}
	for _, after := range []time.Duration{10 * time.Second, 70 * time.Second} {
		*at = after
		f.looked(key, seenAt(t, after, 5), nil)
	}
	row := f.Fleet()[0]
	if row.Waste == nil || *row.Waste != 4 || row.WasteMoney == nil || math.Abs(*row.WasteMoney-0.06) > 1e-6 || row.Money == nil || *row.Money != -912 {
		t.Errorf("after two looks: %+v", row)
	}
}
