package history

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

const (
	look     = 15 * time.Second
	reaction = 45 * time.Second
)

// TestASteadyRiseIsExpected: usage that rises by 10 each look will have risen by
// 30 after a reaction of three looks. Once that was seen often enough, it is
// expected, and needs no room; that usage stays as it is needs room for 30.
func TestASteadyRiseIsExpected(t *testing.T) {
	g := NewGrowth()
	usage := scale.Amount(10_000)
	for range 1000 {
		feed(g, look, reaction, usage)
		usage += 10
	}
	usage -= 10
	out, known := g.Outlook(usage, 10*permille, reaction)
	if !known || out != (Outlook{Expected: usage + 30}) {
		t.Errorf("of %s the outlook is %+v, known %v", usage, out, known)
	}
	if room, _ := g.room(0, usage, 10*permille); room < 30 || room > 45 {
		t.Errorf("if it were to stay as it is, it would need room for %s", room)
	}
}

// TestNoiseIsNotFollowed: usage that goes up and down from look to look goes
// nowhere. That it stays as it is needs room for 1, that it goes on as it just
// did would need room for more than 3.
func TestNoiseIsNotFollowed(t *testing.T) {
	g := NewGrowth()
	for i := range 1000 {
		feed(g, look, reaction, 10_000+scale.Amount(i%2)*1000)
	}
	for _, usage := range []scale.Amount{10_000, 11_000} {
		out, known := g.Outlook(usage, 10*permille, reaction)
		if !known || out.Expected != usage || out.Headroom < 1000 || out.Headroom > 1200 {
			t.Errorf("of %s the outlook is %+v, known %v", usage, out, known)
		}
	}
}

func TestOutlookOfNothing(t *testing.T) {
	g := NewGrowth()
	for _, c := range []struct {
		usage scale.Amount
		risk  int64
		want  Outlook
	}{
		{0, permille, Outlook{}}, {-5, permille, Outlook{}}, {100, 0, Outlook{Expected: 100}}, {100, permille, Outlook{Expected: 100}},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			if got, known := g.Outlook(c.usage, c.risk, reaction); known || got != c.want {
				t.Errorf("%+v: got %+v, known %v", c, got, known)
			}
		})
	}
}

// TestAForecastIsNeverNegative: usage that fell fast is expected to be nothing,
// not less.
func TestAForecastIsNeverNegative(t *testing.T) {
	for way, want := range []scale.Amount{100, 0, 0} {
		if got := expected(100, -1000, way); got != want {
			t.Errorf("way %d expects %s, want %s", way, got, want)
		}
	}
	if got := expected(scale.MaxAmount, scale.MaxAmount, 2); got != scale.MaxAmount {
		t.Errorf("the largest rise leads to %s", got)
	}
}

func TestLooksKnowTheSizeOfAMoment(t *testing.T) {
	g := NewGrowth()
	if _, _, ok := g.After(monday); ok {
		t.Error("someone has looked")
	}
	for i := range 2 * maxLooks {
		g.NoteLook(monday.Add(time.Duration(i)*look), Look{Ready: int32(i), Limit: scale.Amount(i)})
	}
	g.NoteLook(monday, Look{Ready: 99, Limit: 99})
	last := monday.Add((2*maxLooks - 1) * look)
	for at, want := range map[time.Time]int32{
		// What is changed at a look, the next one sees.
		last.Add(-2 * look): 2*maxLooks - 2, last.Add(-2*look + time.Second): 2*maxLooks - 2, last.Add(-2*look - time.Second): 2*maxLooks - 3,
		// Older looks are gone, and the oldest that is left stands for them.
		monday: maxLooks,
	} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			got, when, ok := g.After(at)
			if !ok || got.Ready != want || got.Limit != scale.Amount(want) || !when.Equal(monday.Add(time.Duration(want)*look)) {
				t.Errorf("after %s: %+v at %s, want that of %d", at.Sub(monday), got, when, want)
			}
		})
	}
	if _, _, ok := g.After(last); ok {
		t.Error("nobody has looked after the last look")
	}
}
