package learner

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// bursting is an observation of pods that request so much, may use twice that, and
// have half of it to spare on their nodes.
func bursting(at time.Time, pods int, usage, request scale.Amount) *scale.Observation {
	obs := observed(at, pods, usage, 2*request)
	for i := range obs.Pods {
		obs.Pods[i].Containers[0].Requests = scale.Resources{}.With(scale.CPU, request)
		obs.Pods[i].Containers[0].Limits = scale.Resources{}.With(scale.CPU, 2*request)
	}
	obs.Room = &scale.Room{At: at, Share: 500}
	return obs
}

// TestWhatMayComeIsKnownAtOnce: the first sample is enough, also where the pods are
// full; then twice what they use is taken to be asked for.
func TestWhatMayComeIsKnownAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		usage, expected scale.Amount
		full            bool
	}{
		"half of what they request":           {500, 2000, false},
		"more than they request":              {1100, 4400, false},
		"all that their nodes have for them":  {1500, 12_000, true},
		"nearly all of it":                    {1390, 11_120, true},
		"as much as leaves some of it unused": {1370, 5480, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := learned(t, learner(t, Plan{Priced: true, InPlace: true}), bursting(noon, 4, c.usage, 1000))
			if got.Full != c.full || got.Expected != c.expected || len(got.Demand) == 0 || len(got.Room) == 0 {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// TestRoomBeyondLimitsIsNone: pods that may use a tenth more than they request cannot
// use the half that nodes have left.
func TestRoomBeyondLimitsIsNone(t *testing.T) {
	obs := bursting(noon, 4, 500, 1000)
	for i := range obs.Pods {
		obs.Pods[i].Containers[0].Limits = scale.Resources{}.With(scale.CPU, 1100)
	}
	for _, one := range learned(t, learner(t, Plan{Priced: true, InPlace: true}), obs).Room {
		if one.Amount > 100 {
			t.Errorf("%s of room", one.Amount)
		}
	}
}

// TestFullPodsTeachWhereStartsAreSlow: where pods take minutes to start, what full pods
// hide is learned as a jump; where a decision acts within seconds, the next samples tell.
func TestFullPodsTeachWhereStartsAreSlow(t *testing.T) {
	for name, c := range map[string]struct {
		starts  time.Duration
		teaches bool
	}{
		"started within seconds": {10 * time.Second, false},
		"started within minutes": {5 * time.Minute, true},
	} {
		t.Run(name, func(t *testing.T) {
			l := learner(t, Plan{Priced: true})
			l.History.StartUp.Observe(noon.Add(-time.Hour), c.starts)
			at := noon
			for range 60 {
				at = at.Add(15 * time.Second)
				learned(t, l, bursting(at, 4, 500, 1000))
			}
			calm := learned(t, l, bursting(at.Add(time.Second), 4, 500, 1000)).Headroom
			for range 24 {
				at = at.Add(15 * time.Second)
				learned(t, l, bursting(at, 4, 1500, 1000))
			}
			again := learned(t, l, bursting(at.Add(15*time.Second), 4, 500, 1000)).Headroom
			if (again > 3*calm) != c.teaches {
				t.Errorf("%s of headroom in calm, %s after full pods", calm, again)
			}
		})
	}
}
