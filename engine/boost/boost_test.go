package boost_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/engine/boost"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// cpu is a container with so much cpu, in millicores; 0 is none stated.
func cpu(request, limit scale.Amount) scale.Container {
	c := scale.Container{Name: "app", Requests: scale.Resources{}.With(scale.Memory, 5)}
	if request > 0 {
		c.Requests = c.Requests.With(scale.CPU, request)
	}
	if limit > 0 {
		c.Limits = c.Limits.With(scale.CPU, limit)
	}
	return c
}

func TestRaised(t *testing.T) {
	twice := boost.Container{Name: "app", Factor: 2000}
	to4 := boost.Container{Name: "app", Quantity: 4000}
	kept := boost.Container{Name: "app", Factor: 4000, KeepLimits: true}
	for name, tc := range map[string]struct {
		rules   boost.Rules
		settled scale.Container
		want    scale.Container
		cut     scale.Reason
	}{
		"by a factor":                         {boost.Rules{Containers: []boost.Container{twice}}, cpu(500, 0), cpu(1000, 0), ""},
		"its limit in proportion":             {boost.Rules{Containers: []boost.Container{twice}}, cpu(500, 750), cpu(1000, 1500), ""},
		"one that is Guaranteed stays so":     {boost.Rules{Containers: []boost.Container{{Name: "app", Factor: 1333}}}, cpu(500, 500), cpu(667, 667), ""},
		"to an amount":                        {boost.Rules{Containers: []boost.Container{to4}}, cpu(1000, 2000), cpu(4000, 8000), ""},
		"never to less than it has":           {boost.Rules{Containers: []boost.Container{to4}}, cpu(5000, 0), cpu(5000, 0), ""},
		"the administrator's most":            {boost.Rules{Containers: []boost.Container{to4}, Most: 3000}, cpu(1000, 1000), cpu(3000, 3000), scale.MaximumResource},
		"which takes nothing away":            {boost.Rules{Containers: []boost.Container{to4}, Most: 500}, cpu(1000, 1000), cpu(1000, 1000), scale.MaximumResource},
		"no further than a limit that stays":  {boost.Rules{Containers: []boost.Container{kept}}, cpu(1000, 1500), cpu(1500, 1500), scale.MaximumResource},
		"the rest has a boost of its own":     {boost.Rules{Containers: []boost.Container{{Name: "other", None: true}}, Default: &twice}, cpu(500, 0), cpu(1000, 0), ""},
		"one with an entry is not the rest":   {boost.Rules{Containers: []boost.Container{{Name: "app", None: true}}, Default: &twice}, cpu(500, 0), cpu(500, 0), ""},
		"nobody speaks of it":                 {boost.Rules{Containers: []boost.Container{{Name: "other", Factor: 2000}}}, cpu(500, 0), cpu(500, 0), ""},
		"a container that states no cpu":      {boost.Rules{Containers: []boost.Container{to4}}, cpu(0, 0), cpu(0, 0), ""},
		"a factor of one is no boost":         {boost.Rules{Containers: []boost.Container{{Name: "app", Factor: 1000}}}, cpu(500, 900), cpu(500, 900), ""},
		"an amount that is too large to have": {boost.Rules{Containers: []boost.Container{twice}}, cpu(1<<62, 0), cpu(1<<63-1, 0), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got, cut := tc.rules.Raised(tc.settled); got != tc.want || cut != tc.cut {
				t.Errorf("got %v cut by %q, want %v cut by %q", got, cut, tc.want, tc.cut)
			}
		})
	}
}

// TestABoostTakesNothingAway: nor does it change memory, bring a limit below its
// request, or make a pod Guaranteed that was not.
func TestABoostTakesNothingAway(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		settled := cpu(scale.Amount(rapid.Int64Range(1, 1<<40).Draw(t, "request")), 0)
		request, _ := settled.Requests.Get(scale.CPU)
		if rapid.Bool().Draw(t, "limited") {
			settled.Limits = settled.Limits.With(scale.CPU, request+scale.Amount(rapid.Int64Range(0, 1<<40).Draw(t, "gap")))
		}
		rules := boost.Rules{Most: scale.Amount(rapid.Int64Range(0, 1<<41).Draw(t, "most")), Default: &boost.Container{
			Factor: rapid.Int64Range(1000, 100_000).Draw(t, "factor"), KeepLimits: rapid.Bool().Draw(t, "keep"),
		}}
		got, _ := rules.Raised(settled)
		to, _ := got.Requests.Get(scale.CPU)
		was, limited := settled.Limits.Get(scale.CPU)
		limit, still := got.Limits.Get(scale.CPU)
		memory, _ := got.Requests.Get(scale.Memory)
		if to < request || limit < was || limited != still || limited && limit < to || memory != 5 {
			t.Fatalf("%v became %v", settled, got)
		}
		if limited && was > request && limit == to && !rules.Default.KeepLimits {
			t.Fatalf("%v became Guaranteed: %v", settled, got)
		}
	})
}

func TestEnds(t *testing.T) {
	at := time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		pod  scale.Pod
		want time.Time
	}{
		"some time after it became ready": {scale.Pod{Ready: scale.Ready, ReadyChangedAt: at.Add(time.Minute)}, at.Add(90 * time.Second)},
		"not while it starts":             {scale.Pod{Ready: scale.NotReady, ReadyChangedAt: at}, at.Add(boost.Longest)},
		"nor while nobody knows":          {scale.Pod{Ready: scale.ReadinessAbsent}, at.Add(boost.Longest)},
		"at once without a node":          {scale.Pod{Phase: scale.Pending, Pending: "Unschedulable", PendingSince: at.Add(time.Second)}, at.Add(time.Second)},
	} {
		t.Run(name, func(t *testing.T) {
			if got := boost.Ends(&tc.pod, at, 30*time.Second); !got.Equal(tc.want) {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}
