package schedule

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// at8 and at18 are 08:00 and 18:00 each day.
var (
	at8  = Cron{Minute: 1, Hour: 1 << 8, Day: every, Month: every, Weekday: every}
	at18 = Cron{Minute: 1, Hour: 1 << 18, Day: every, Month: every, Weekday: every}
)

const every = 1<<32 - 1

func moment(text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return at
}

func daily(least int32) *Rules {
	return &Rules{Windows: []Window{{Name: "day", Start: at8, End: at18, Zone: time.UTC, Min: &least}}}
}

// TestWait: the next look is when something changes, or pods have to be started
// for it, and no later than it would have been.
func TestWait(t *testing.T) {
	for name, tc := range map[string]struct {
		at             string
		ahead, longest time.Duration
		want           time.Duration
	}{
		"nothing changes before":       {"2026-01-05T07:30:00Z", 0, 15 * time.Second, 15 * time.Second},
		"it starts":                    {"2026-01-05T07:59:50Z", 0, 15 * time.Second, 10 * time.Second},
		"it has just started":          {"2026-01-05T08:00:00Z", 0, time.Minute, time.Minute},
		"it ends":                      {"2026-01-05T17:59:59Z", 0, time.Minute, time.Second},
		"pods have to be started soon": {"2026-01-05T07:57:50Z", 2 * time.Minute, time.Minute, 10 * time.Second},
		"a rare look":                  {"2026-01-05T07:30:00Z", 0, time.Hour, 30 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			if got := daily(5).Wait(moment(tc.at), tc.ahead, tc.longest); got != tc.want {
				t.Errorf("waits %s, want %s", got, tc.want)
			}
		})
	}
	once := &Rules{Windows: []Window{{From: moment("2026-01-05T08:00:00Z"), Until: moment("2026-01-05T09:00:00Z")}}}
	for at, want := range map[string]time.Duration{
		"2026-01-05T07:59:00Z": time.Minute, "2026-01-05T08:58:00Z": 2 * time.Minute, "2026-01-05T09:00:00Z": time.Hour,
	} {
		t.Run(at, func(t *testing.T) {
			if got := once.Wait(moment(at), 0, time.Hour); got != want {
				t.Errorf("waits %s, want %s", got, want)
			}
		})
	}
}

// TestFacts: a step tells how long a schedule holds, or how soon it will.
func TestFacts(t *testing.T) {
	stated := scale.Bounds{Min: 1, Max: 9}
	rules := daily(5)
	now := rules.At(moment("2026-01-05T07:58:30Z"), stated, 2*time.Minute)
	if now.Early != 90*time.Second || now.Bounds.Min != 5 {
		t.Errorf("ahead of its start: %+v", now)
	}
	if facts := now.Min.Facts(moment("2026-01-05T07:58:30Z"), now.Early); !facts.Until.Equal(moment("2026-01-05T18:00:00Z")) {
		t.Errorf("ends at %s", facts.Until)
	}
	now = rules.At(moment("2026-01-05T12:00:00Z"), stated, 7*time.Hour)
	if now.Early != 0 || now.Bounds.Min != 5 {
		t.Errorf("in force, whatever comes: %+v", now)
	}
}

// TestNever: of all dates that a calendar may be asked for, only those that are
// in none of them never come.
func TestNever(t *testing.T) {
	for name, tc := range map[string]struct {
		day, month uint64
		want       bool
	}{
		"30 February": {1 << 30, 1 << 2, true},
		"31 April":    {1 << 31, 1 << 4, true},
		"29 February": {1 << 29, 1 << 2, false},
		"31 of some":  {1 << 31, 1<<4 | 1<<5, false},
		"no month":    {every, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			c := Cron{Minute: 1, Hour: 1, Day: tc.day, Month: tc.month, Weekday: every}
			if got := c.Never(); got != tc.want {
				t.Errorf("never: %t, want %t", got, tc.want)
			}
		})
	}
}
