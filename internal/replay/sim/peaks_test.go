package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// everyRequest lets each request of a demand come to one pod of a core by chance,
// and returns the shares that are dropped and late.
func everyRequest(d Demand, w Waiting) (lost, late float64) {
	dice := rand.New(rand.NewPCG(3, 4))
	service, end := w.Service.Seconds(), d.Length().Seconds()
	all, away, waited, work := 0, 0, 0, 0.0
	c := cursor{Demand: d}
	for at := 0.0; at < end; {
		c.moveTo(d.Start().Add(time.Duration(at * float64(second))))
		gap := dice.ExpFloat64() * service / (float64(c.value()) / 1000)
		at, work = at+gap, max(work-gap, 0)
		all++
		if work > w.Most.Seconds() {
			away++
			continue
		}
		if work > w.Late.Seconds() {
			waited++
		}
		work += dice.ExpFloat64() * service
	}
	return float64(away) / float64(all), float64(waited) / float64(all)
}

// TestShortPeaks: each moment counts as if it lasted, which for short peaks is
// rough. Beside a pod whose every request is simulated, what is dropped in peaks
// of 15 seconds is within a quarter, and what is late within a third: the queue
// is filled before it overflows, and emptied after.
func TestShortPeaks(t *testing.T) {
	for _, peak := range []scale.Amount{1050, 1150, 1300, 2000} {
		t.Run(fmt.Sprint(peak), func(t *testing.T) {
			var values []scale.Amount
			for range 200 {
				for i := range 27 {
					values = append(values, 700)
					if i >= 24 {
						values[len(values)-1] = peak
					}
				}
			}
			s := Ideal()
			s.Demand, s.Replicas, s.Waiting = demandOf(t, 5*second, values...), 1, Honest().Waiting
			got := Run(s, Static(1), nil)
			lost, late := everyRequest(s.Demand, s.Waiting)
			if share := float64(got.Unserved.ratio(got.Demand)) / scale.Parts; math.Abs(share-lost) > lost/4+2e-4 {
				t.Errorf("lost %.5f, every request %.5f", share, lost)
			}
			if share := float64(got.Late.ratio(got.Demand)) / scale.Parts; math.Abs(share-late) > late/3 {
				t.Errorf("late %.5f, every request %.5f", share, late)
			}
		})
	}
}

// TestOverflow is worked out by hand. A pod of a core holds a second of work. With
// 1.5 cores to do for 5 seconds, half a core-second is left over in each: after two
// seconds it is full, and in the other three 1.5 core-seconds are dropped. With half a
// core to do, the queue is empty after two more seconds.
func TestOverflow(t *testing.T) {
	all := &third{pods: 1, load: 1500, capacity: 1000}
	held, w := uint64(0), Waiting{Most: second, Late: 250 * time.Millisecond}
	got := w.overflow(all, &held, luck{}, 5*second)
	if got.served != coreSeconds(5) || got.dropped != (Work{}).Plus(500, 3*second) || (Work{Lo: held}) != coreSeconds(1) {
		t.Errorf("%+v, held %d", got, held)
	}
	// Of the two seconds in which it grows, it is beyond 250 ms for one and a half.
	if want := (Work{}).Plus(1000, 4500*time.Millisecond); got.late != want {
		t.Errorf("late: %+v, want %+v", got.late, want)
	}
	all.load = 500
	got = w.overflow(all, &held, luck{}, 5*second)
	if got.served != (Work{}).Plus(500, 5*second).add(coreSeconds(1)) || got.dropped != (Work{}) || held != 0 {
		t.Errorf("%+v, held %d", got, held)
	}
	// It shrinks by half a core-second each second, so for 1.5 s it is beyond 250 ms.
	if want := (Work{}).Plus(1000, 1500*time.Millisecond); got.late != want {
		t.Errorf("late: %+v, want %+v", got.late, want)
	}
	// A pod that has become smaller holds less.
	held, all.load, all.capacity = coreSeconds(1).Lo, 0, 500
	if got = w.overflow(all, &held, luck{}, time.Millisecond); got.dropped != (Work{}).Plus(500, second) {
		t.Errorf("%+v", got)
	}
}
