package rivals

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// hours feeds loads, an hour each, from a moment on.
func (a *aws) feed(from time.Time, loads ...scale.Amount) time.Time {
	for _, load := range loads {
		for minute := range 60 {
			a.note(from.Add(time.Duration(minute)*time.Minute), load)
		}
		from = from.Add(time.Hour)
	}
	return from
}

// dayOf is a day with one busy hour.
func dayOf(busy int, load scale.Amount) []scale.Amount {
	out := make([]scale.Amount, 24)
	for i := range out {
		out[i] = 1000
	}
	out[busy] = load
	return out
}

// TestAWS: by hand. At ten o'clock it was 4 cores on Monday and 7 on Tuesday, so on
// Wednesday it is (13·4 + 14·7)/27 = 5.555. The capacity is there five minutes
// before the hour.
func TestAWS(t *testing.T) {
	a := &aws{}
	at := a.feed(monday, dayOf(10, 4000)...)
	if got := a.expect(at.Add(-time.Minute)); got != 0 {
		t.Errorf("it knows %d before a day is over", got)
	}
	if got := a.expect(at.Add(10 * time.Hour)); got != 4000 {
		t.Errorf("on Tuesday it expects %d", got)
	}
	at = a.feed(at, dayOf(10, 7000)...)
	for clock, want := range map[time.Duration]scale.Amount{
		9*time.Hour + 54*time.Minute:  1000,
		9*time.Hour + 55*time.Minute:  5555,
		10 * time.Hour:                5555,
		10*time.Hour + 55*time.Minute: 5555,
		11 * time.Hour:                1000,
	} {
		t.Run(clock.String(), func(t *testing.T) {
			if got := a.expect(at.Add(clock)); got != want {
				t.Errorf("on Wednesday it expects %d, want %d", got, want)
			}
		})
	}
}

// TestAWSForgetsAndTellsWeekends: Saturday has no Saturday before it in the first
// week, so all days count; in the second it is last Saturday's. What is more than
// two weeks old is gone.
func TestAWSForgetsAndTellsWeekends(t *testing.T) {
	a := &aws{}
	at := monday
	for range 5 {
		at = a.feed(at, dayOf(10, 9000)...)
	}
	if got := a.expect(at.Add(10 * time.Hour)); got != 9000 {
		t.Errorf("the first Saturday: %d", got)
	}
	for range 2 {
		at = a.feed(at, dayOf(10, 2000)...)
	}
	if got := a.expect(at.Add(10 * time.Hour)); got != 9000 {
		t.Errorf("the second Monday: %d", got)
	}
	at = a.feed(at.Add(5*24*time.Hour), dayOf(10, 3000)...)
	// On the second Sunday: yesterday 14 times 3, seven days ago 8 times 2, and
	// eight days ago 7 times 2.
	if got := a.expect(at.Add(10 * time.Hour)); got != (14*3000+8*2000+7*2000)/29 {
		t.Errorf("the second Sunday: %d", got)
	}
	a.feed(at.Add(20*24*time.Hour), 1000)
	if len(a.hours) != 1 {
		t.Errorf("%d hours are kept", len(a.hours))
	}
}

// TestAWSRedoesItEverySixHours: what happens within six hours changes no forecast.
func TestAWSRedoesItEverySixHours(t *testing.T) {
	a := &aws{}
	at := a.feed(monday, dayOf(10, 4000)...)
	a.expect(at.Add(6 * time.Hour))
	a.hours[10].load = 8000
	if got := a.expect(at.Add(10 * time.Hour)); got != 4000 {
		t.Errorf("made at six, at ten it is %d", got)
	}
	a.made = time.Time{}
	if got := a.expect(at.Add(10 * time.Hour)); got != 8000 {
		t.Errorf("made anew it is %d", got)
	}
}
