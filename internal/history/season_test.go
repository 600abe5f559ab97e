package history

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/scale"
)

// daily is a demand that rises from 10 to 30 cores and falls again, every day alike,
// with noise.
func daily(at time.Time) scale.Amount {
	minute := at.Hour()*60 + at.Minute()
	return 10_000 + scale.Amount(min(minute, 1440-minute))*20_000/720 + (waves(int(at.Unix()/15))-10_000)/4
}

// followed lets a demand be seen for some days, at a lead.
func followed(days int, takes time.Duration, of func(time.Time) scale.Amount) (*Demand, time.Time) {
	d, at := NewDemand(), time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	for range days * 24 * 60 * 4 {
		at = at.Add(each)
		d.Observe(at, of(at), -1, takes)
	}
	return d, at
}

// TestSeasonsOnlyWhereTheyWin: a course that repeats every day is used where pods take
// minutes to start, and is not even remembered where a decision acts within seconds.
func TestSeasonsOnlyWhereTheyWin(t *testing.T) {
	const minutes = 10 * time.Minute
	for name, c := range map[string]struct {
		takes           time.Duration
		of              func(time.Time) scale.Amount
		days            int
		seasonal, known bool
	}{
		"every day alike":         {takes: minutes, of: daily, days: 4, seasonal: true, known: true},
		"on its first day":        {takes: minutes, of: daily, days: 1, known: true},
		"ahead by seconds":        {takes: lead, of: daily, days: 4},
		"noise around a constant": {takes: minutes, of: func(at time.Time) scale.Amount { return waves(int(at.Unix() / 15)) }, days: 4, known: true},
	} {
		t.Run(name, func(t *testing.T) {
			d, _ := followed(c.days, c.takes, c.of)
			if (d.way == bySeason) != c.seasonal || (d.season != nil) != c.known {
				t.Errorf("forecast %d is used, the days are known: %v", d.way, d.season != nil)
			}
		})
	}
}

// TestSeasonForecasts: at 6:00 demand rises by a core each 36 minutes, so that ten
// minutes later 278m more are asked for.
func TestSeasonForecasts(t *testing.T) {
	d, at := followed(5, 10*time.Minute, daily)
	for range 6 * 60 * 4 {
		at = at.Add(each)
		d.Observe(at, daily(at), -1, 10*time.Minute)
	}
	expected, _ := d.Of(daily(at), false)
	if far := expected - 20_278; far < -150 || far > 150 {
		t.Errorf("%s is expected at 6:10, want about 20278m", expected)
	}
}

// TestSeasonLeavesDaysOut: what was usual stays through days without a look.
func TestSeasonLeavesDaysOut(t *testing.T) {
	d, at := followed(3, 10*time.Minute, daily)
	before := d.season.usual
	at = at.Add(20 * 24 * time.Hour)
	d.Observe(at, 100, -1, 10*time.Minute)
	changed := 0
	for i, usual := range d.season.usual {
		if usual != before[i] {
			changed++
		}
	}
	if changed > 3 {
		t.Errorf("%d of %d slots changed while nobody looked", changed, daySlots)
	}
}

// TestSeasonEnds: once pods start within seconds the days are forgotten, and a forecast
// of the others is used.
func TestSeasonEnds(t *testing.T) {
	d, at := followed(4, 10*time.Minute, daily)
	d.Observe(at.Add(each), daily(at), -1, lead)
	if d.season != nil || d.way == bySeason {
		t.Errorf("forecast %d, season %v", d.way, d.season)
	}
	for _, f := range d.ring {
		if f.byDay != 0 {
			t.Fatalf("still remembered: %+v", f)
		}
	}
}

// TestDaysOfAnOlderVersion: the fourth version wrote everything but the course of days.
func TestDaysOfAnOlderVersion(t *testing.T) {
	d, _ := observedFor(100, waves)
	var before, whole writer
	for i := range d.errors {
		d.errors[i].encode(&before)
	}
	d.room.encode(&before)
	d.encode(&whole)
	cut := len(before.out)
	r, got := &reader{in: append(whole.out[:cut:cut], whole.out[cut+1:]...)}, NewDemand()
	if got.decode(r, 4); r.err != nil {
		t.Fatal(r.err)
	}
	if diff := cmp.Diff(d, got, cmp.AllowUnexported(Demand{}, spread{}, forecasted{}, season{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
