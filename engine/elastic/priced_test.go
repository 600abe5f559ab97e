package elastic

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// byPrices resizes pods around a usual size of a core.
var byPrices = Rules{Usual: 1000, Min: 500, Max: 4000, Prices: &usualPrices}

// TestCheapest: the search comes as near to the least cost as its finest step, by
// comparison with every total there is.
func TestCheapest(t *testing.T) {
	for name, o := range map[string]Outlook{
		"steady":            {Demand: always(8000)},
		"with room":         {Demand: always(8000), Room: always(400)},
		"a rare surge":      {Demand: []scale.Likely{{Amount: 8000, Chance: 990_000}, {Amount: 20_000, Chance: 10_000}}},
		"a likely surge":    {Demand: []scale.Likely{{Amount: 8000, Chance: 900_000}, {Amount: 20_000, Chance: 100_000}}},
		"room that may end": {Demand: always(8000), Room: []scale.Likely{{Amount: 0, Chance: 300_000}, {Amount: 900, Chance: 700_000}}},
	} {
		t.Run(name, func(t *testing.T) {
			w, loaded := Priced{Outlook: o, Likely: 8000, Has: 8000, Pods: 8}, o.load(nil)
			got, _ := byPrices.cheapest(&w, &loaded)
			least := usualPrices.of(500, 8, &loaded).all()
			for total := scale.Amount(500); total <= 40_000; total += 5 {
				least = min(least, usualPrices.of(total, 8, &loaded).all())
			}
			if found := usualPrices.of(got.Total, 8, &loaded).all(); found > least.Share(101, 100) {
				t.Errorf("%s costs %s, and the least is %s", got.Total, found/million, least/million)
			}
		})
	}
}

func TestDivide(t *testing.T) {
	const every = 15 * time.Second
	for name, c := range map[string]struct {
		now   Division
		total scale.Amount
		want  Division
	}{
		"more is given to those there are":           {Division{8000, 8}, 10_000, Division{10_000, 8}},
		"until they would be 60 % larger than usual": {Division{8000, 8}, 12_800, Division{12_800, 8}},
		"then pods are started, a fifth larger":      {Division{8000, 8}, 13_200, Division{13_200, 11}},
		"less by stopping pods":                      {Division{10_000, 10}, 8000, Division{8000, 8}},
		"no more of them than leave enough, nearly":  {Division{10_000, 10}, 8300, Division{8000, 8}},
		"and not where most of one would be missing": {Division{10_000, 10}, 8400, Division{9000, 9}},
		"by size where it is less than a pod":        {Division{10_000, 10}, 9500, Division{9500, 10}},
		"the last pod is never stopped":              {Division{1000, 1}, 700, Division{700, 1}},
		"pods far below their usual size become few": {Division{5400, 10}, 5350, Division{5350, 7}},
		"small pods of a workload that grows do not": {Division{6000, 10}, 6200, Division{6200, 10}},
		"a total of nothing leaves one pod":          {Division{0, 0}, 100, Division{100, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := byPrices.divide(c.now, c.total, every); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// TestWaiting: a gain of a core costs 15 core-seconds at each look. The change of
// eight pods costs 48, of which half has to be lost first: that is so at the second.
func TestWaiting(t *testing.T) {
	w := Priced{At: noon, Every: 15 * time.Second, Outlook: Outlook{Demand: always(7000), Room: always(1000)}, Likely: 7000, Has: 8000, Pods: 8}
	var past Past
	var reasons []scale.Reason
	for range 2 {
		var reason scale.Reason
		past, _, reason, _ = past.Weighed(&byPrices, &w)
		reasons = append(reasons, reason)
		w.At = w.At.Add(w.Every)
	}
	if diff := cmp.Diff([]scale.Reason{scale.HeadroomHeld, scale.HeadroomAmple}, reasons); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	t.Run("what may be more than was measured is not made less", func(t *testing.T) {
		w.Unsure = true
		_, to, reason, _ := Past{Waited: 100_000, Side: scale.Down}.Weighed(&byPrices, &w)
		if reason != scale.HeadroomKept || to.Total != w.Has {
			t.Errorf("%s to %+v", reason, to)
		}
	})
	t.Run("what waiting has cost is forgotten when the direction turns", func(t *testing.T) {
		w.Unsure = false
		past, _, reason, facts := Past{Waited: 100_000, Side: scale.Up}.Weighed(&byPrices, &w)
		if reason != scale.HeadroomHeld || facts.Waited > 20_000 || past.Side != scale.Down {
			t.Errorf("%s after %s", reason, facts.Waited)
		}
	})
	t.Run("a controller that was away does not charge for that", func(t *testing.T) {
		_, _, _, facts := Past{Side: scale.Down, WeighedAt: w.At.Add(-time.Hour)}.Weighed(&byPrices, &w)
		if facts.Waited > 31_000 {
			t.Errorf("an hour away has cost %s", facts.Waited)
		}
	})
}

// TestWeighedHolds: whatever may come, what is decided has pods and a total, and the
// past survives JSON.
func TestWeighedHolds(t *testing.T) {
	draw.Check(t, func(r *rapid.T) {
		past, at := Past{}, noon
		rules := byPrices
		rules.Rigid = rapid.Bool().Draw(r, "rigid")
		rules = *rules.Around(scale.Amount(rapid.Int64Range(1, 8000).Draw(r, "usual")))
		now := Division{scale.Amount(rapid.Int64Range(0, 1<<40).Draw(r, "has")), rapid.Int32Range(0, 5000).Draw(r, "pods")}
		for range rapid.IntRange(1, 20).Draw(r, "looks") {
			at = at.Add(time.Duration(rapid.IntRange(-60, 600).Draw(r, "after")) * time.Second)
			w := Priced{
				At: at, Every: 15 * time.Second, Outlook: Outlook{Demand: drawLikely(r, "demand", 1<<40), Room: drawLikely(r, "room", 5000)},
				Full: rapid.Bool().Draw(r, "full"), Unsure: rapid.Bool().Draw(r, "unsure"),
				Likely: scale.Amount(rapid.Int64Range(1, 1<<40).Draw(r, "likely")), Has: now.Total, Pods: now.Pods,
			}
			var to Division
			past, to, _, _ = past.Recalled(at).Weighed(&rules, &w)
			if to != now && (to.Total <= 0 || to.Pods <= 0) || w.Unsure && to.Total < now.Total {
				r.Fatalf("from %+v to %+v", now, to)
			}
			text, err := json.Marshal(past)
			var again Past
			if err == nil {
				err = json.Unmarshal(text, &again)
			}
			if diff := cmp.Diff(past, again); err != nil || diff != "" {
				r.Fatalf("JSON changed it: %v (-want +got):\n%s", err, diff)
			}
			now = to
		}
	})
}

// TestAround: what nobody states follows from the usual size, and from what the
// administrator allows.
func TestAround(t *testing.T) {
	for name, c := range map[string]struct {
		rules    Rules
		min, max scale.Amount
	}{
		"half to four times":                {Rules{}, 500, 4000},
		"as far as is allowed":              {Rules{Max: 3000}, 500, 3000},
		"never below what it has":           {Rules{Max: 700}, 500, 1000},
		"one size where nothing is resized": {Rules{Rigid: true}, 1000, 1000},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.rules.Around(1000); got.Usual != 1000 || got.Min != c.min || got.Max != c.max {
				t.Errorf("got %+v", got)
			}
		})
	}
}
