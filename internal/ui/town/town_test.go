package town

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// TestPrices: money is what the prices say, and there is none without any.
func TestPrices(t *testing.T) {
	for name, c := range map[string]struct{ cpu, memory int64 }{"twice as dear": {2 * priceCPU, 2 * priceMemory}, "free": {0, 0}} {
		t.Run(name, func(t *testing.T) {
			usual, err := New()
			if err != nil {
				t.Fatal(err)
			}
			other, err := Priced(c.cpu, c.memory)
			if err != nil {
				t.Fatal(err)
			}
			for _, town := range []*Town{usual, other} {
				defer town.Stop()
				town.Advance(begin.Add(time.Hour))
			}
			for i, row := range other.Fleet() {
				before := usual.Fleet()[i]
				if c.cpu == 0 && (row.Money != nil || row.WasteMoney != nil) || c.cpu > 0 && (*row.Money != 2**before.Money || *row.WasteMoney != 2**before.WasteMoney) {
					t.Errorf("%+v, and at the usual price %+v", row, before)
				}
			}
		})
	}
}

// TestEveryHouseLives: each workload is there after a day and says why it has the
// size it has, and what its row says is what its decision says.
func TestEveryHouseLives(t *testing.T) {
	town, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer town.Stop()
	town.Advance(begin.Add(12 * time.Hour))
	rows := town.Fleet()
	if len(rows) != len(houses) {
		t.Fatalf("%d rows of %d houses", len(rows), len(houses))
	}
	for _, row := range rows {
		t.Run(row.Name, func(t *testing.T) {
			d, err := town.Decision(row.Key, time.Time{})
			if err != nil {
				t.Fatal(err)
			}
			if d.Headline != row.Headline || !strings.HasPrefix(d.Text, d.Headline) || d.Document == "" || d.Missing == "" && d.Script == "" {
				t.Errorf("the row says %q, the decision %q; %s", row.Headline, d.Headline, d.Missing)
			}
			if lanes, err := town.Lanes(t.Context(), row.Key, feed.Window{Columns: 100}); err != nil || lanes.Points != 12*240+1 {
				t.Errorf("%d points, %v", lanes.Points, err)
			}
		})
	}
	for name, need := range map[string]feed.Need{"gateway": feed.NoData, "legacy": feed.Paused, "thumbnails": feed.RecommendOnly} {
		if i := slices.IndexFunc(rows, func(r feed.Row) bool { return r.Name == name }); !slices.Contains(rows[i].Needs, need) {
			t.Errorf("%s needs %v, not %q", name, rows[i].Needs, need)
		}
	}
	if _, err := town.Decision(feed.Key{Namespace: "shop", Name: "none"}, time.Time{}); !errors.Is(err, feed.ErrUnknown) {
		t.Errorf("who is not there: %v", err)
	}
}

// TestClock: time passes as fast as was said, within its bounds.
func TestClock(t *testing.T) {
	town := &Town{now: begin, end: begin.Add(time.Hour), speed: UsualSpeed}
	for _, step := range []struct {
		speed int
		want  time.Duration
	}{{60, time.Minute}, {0, time.Minute}, {-5, time.Minute}, {600, 11 * time.Minute}, {1 << 40, 11 * time.Minute}} {
		t.Run(fmt.Sprint(step.speed), func(t *testing.T) {
			town.SetSpeed(step.speed)
			if got := town.pass(time.Second).Sub(begin); got != step.want {
				t.Errorf("it is %s, want %s", got, step.want)
			}
		})
	}
}
