package course

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// TestAmountsArePacked: to a thousandth, whatever they are, and never as unknown.
func TestAmountsArePacked(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		a := scale.Amount(rapid.Int64Range(0, 1<<40).Draw(t, "amount"))
		packed := packAmount(a)
		if got := unpackAmount(packed); packed == noAmount || got > a || a-got > a/1000 {
			t.Errorf("%d comes back as %d", a, got)
		}
		room := scale.Amount(rapid.Int64Range(0, 5000).Draw(t, "room"))
		if got := unpackRoom(packRoom(room)); got > room || room-got >= roomStep {
			t.Errorf("a room of %d comes back as %d", room, got)
		}
	})
	for name, a := range map[string]scale.Amount{"negative": -1, "absurd": scale.MaxAmount} {
		t.Run(name, func(t *testing.T) {
			if packAmount(a) == noAmount || unpackAmount(packAmount(a)) < 0 {
				t.Errorf("%d is packed as %d", a, packAmount(a))
			}
		})
	}
}

// TestTheCourseIsBounded: a month of samples takes no more than it may, and comes
// back from its encoding.
func TestTheCourseIsBounded(t *testing.T) {
	c := New()
	for i := range 35 * 24 * 60 {
		c.Observe(Sample{At: noon.Add(time.Duration(i) * time.Minute), Used: scale.Amount(i), Room: scale.Amount(i % 900)})
	}
	text := c.Encode()
	if len(text) > MaxEncoded {
		t.Errorf("%d bytes, want at most %d", len(text), MaxEncoded)
	}
	back, err := Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(back.Encode(), text) {
		t.Error("it does not come back as it was")
	}
	if got, want := back.Newest(), noon.Add((35*24*60-1)*time.Minute+Fine); !got.Equal(want) {
		t.Errorf("it ends at %s, want %s", got, want)
	}
}

// TestDamagedCoursesAreRefused: nothing of them is used.
func TestDamagedCoursesAreRefused(t *testing.T) {
	whole := New().Encode()
	changed := bytes.Clone(whole)
	changed[100] ^= 1
	for name, text := range map[string][]byte{"empty": nil, "cut": whole[:len(whole)-1], "changed": changed, "foreign": bytes.Repeat([]byte{7}, len(whole))} {
		t.Run(name, func(t *testing.T) {
			if _, err := Decode(text); !errors.Is(err, ErrDamaged) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// day feeds a day of samples that ends a number of days before noon.
func day(c *Course, ago int, used scale.Amount) {
	for at := time.Duration(0); at < Day; at += Fine {
		c.Observe(Sample{At: noon.Add(at - time.Duration(ago+1)*Day), Used: used, Room: 300})
	}
}

// TestEveryWeekdayOnce: of four weeks the last day is replayed, and one in four of
// the others, so that each weekday is there once.
func TestEveryWeekdayOnce(t *testing.T) {
	c := New()
	for ago := 27; ago >= 0; ago-- {
		day(c, ago, scale.Amount(1000+ago))
	}
	r, known := c.Record(noon)
	if !known || int64(len(r.Used)) != Replayed*steps {
		t.Fatalf("%d steps are known, want %d", len(r.Used), Replayed*steps)
	}
	weekdays := map[int64]bool{}
	for i := range int64(Replayed) {
		ago := int64(r.Used[i*steps+steps/2]) - 1000
		if want := apart * (Replayed - 1 - i); ago != want {
			t.Errorf("day %d is of %d days ago, want %d", i, ago, want)
		}
		weekdays[ago%7] = true
	}
	if len(weekdays) != 7 {
		t.Errorf("%d weekdays", len(weekdays))
	}
	if r.Rooms[0] != 300 || !r.Start.Equal(noon.Add(-Replayed*Day)) {
		t.Errorf("the room is %d, and it begins at %s", r.Rooms[0], r.Start)
	}
}

// TestTheLastDayIsFine: it is as it was seen, and a day of which a quarter is
// missing is none.
func TestTheLastDayIsFine(t *testing.T) {
	c := New()
	for at := -Day; at < 0; at += Fine {
		used := scale.Amount(1000)
		if at%time.Minute == 0 {
			used = 2000
		}
		c.Observe(Sample{At: noon.Add(at), Used: used, Room: Unknown})
	}
	r, known := c.Record(noon)
	if !known || len(r.Used) != int(steps) || r.Used[0] != 2000 || r.Used[1] != 1000 || r.Used[4] != 2000 || r.Rooms != nil {
		t.Errorf("known %v, %d steps: %v…, rooms %v", known, len(r.Used), r.Used[:min(5, len(r.Used))], r.Rooms != nil)
	}
	if _, known := c.Record(noon.Add(7 * time.Hour)); known {
		t.Error("a day of which seven hours are missing is replayed")
	}
}

// TestRipples: a day that is only known in coarse steps has the ripple of the last.
func TestRipples(t *testing.T) {
	c := New()
	day(c, 1, 4000)
	for at := -Day; at < 0; at += Fine {
		used := scale.Amount(900) // 1000 on average, with one in four at 1300
		if at%time.Minute == 0 {
			used = 1300
		}
		c.Observe(Sample{At: noon.Add(at), Used: used, Room: Unknown})
	}
	r, known := c.Record(noon)
	if !known || len(r.Used) != int(2*steps) {
		t.Fatalf("known %v, %d steps", known, len(r.Used))
	}
	for i, want := range map[int64]scale.Amount{steps / 2: 5200, steps/2 + 1: 3600} {
		if got := r.Used[i]; got < want-30 || got > want+30 {
			t.Errorf("step %d is %d, want about %d", i, got, want)
		}
	}
}

// TestNonsenseIsNoSample: it changes nothing, and nothing panics.
func TestNonsenseIsNoSample(t *testing.T) {
	c := New()
	before := c.Encode()
	for name, s := range map[string]Sample{
		"no time": {Used: 1}, "negative": {At: noon, Used: -1}, "far": {At: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), Used: 1},
	} {
		t.Run(name, func(t *testing.T) {
			if c.Observe(s); !bytes.Equal(c.Encode(), before) {
				t.Error("it counts")
			}
		})
	}
	c.Observe(Sample{At: noon, Used: 5, Room: Unknown})
	before = c.Encode()
	if c.Observe(Sample{At: noon.Add(-time.Hour), Used: 7}); !bytes.Equal(c.Encode(), before) {
		t.Error("one that is older than the last counts")
	}
}
