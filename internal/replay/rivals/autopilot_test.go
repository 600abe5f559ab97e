package rivals

import (
	"math"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// filled is a histogram of samples.
func filled(samples map[float64]float64) *histogram {
	var h histogram
	for cores, n := range samples {
		h[bucketOf(cores)] += n
	}
	return &h
}

// near tells whether a value is that of the bucket of another.
func near(got, want float64) bool { return got >= want*(1-1e-9) && got < want*growth }

// TestBuckets: every bound is in its own bucket, and what is a little above it in
// the next.
func TestBuckets(t *testing.T) {
	for k := range buckets - 1 {
		if bucketOf(bounds[k]) != k || bucketOf(bounds[k]*1.001) != k+1 {
			t.Fatalf("bucket %d", k)
		}
	}
	if bucketOf(0) != 0 || bucketOf(1e6) != buckets-1 {
		t.Error("what is beyond the ends belongs to them")
	}
}

// TestStatistics: by hand. Of 95 samples of one core and 5 of ten the load is 95 and
// 50, so one core covers 65.5 percent of the load.
func TestStatistics(t *testing.T) {
	h := filled(map[float64]float64{1: 95, 10: 5})
	if !near(h.percentile(0.65), 1) || !near(h.percentile(0.67), 10) || !near(h.percentile(0.95), 10) {
		t.Errorf("percentiles %.3f %.3f", h.percentile(0.65), h.percentile(0.67))
	}
	if !near(h.max(), 10) || !near(h.mean(), 1.45) {
		t.Errorf("max %.3f, mean %.3f", h.max(), h.mean())
	}
	var none histogram
	if none.percentile(0.95) != 0 || none.mean() != 0 || none.max() != 0 {
		t.Error("nothing was used")
	}
}

// TestMovingWindow: by hand. A pod used two cores for twelve hours and then a half.
// After twelve more hours both halves weigh 1/2 and 1, so the weighted mean is
// (2·½ + ½·1)/1.5 = 1; with the margin of 10 percent it is 1.15 at least. After an
// hour at rest the largest recommendation of that hour is still that of its
// beginning.
func TestMovingWindow(t *testing.T) {
	window := newMovingWindow("mean")
	feed := func(cores float64, hours int) (got float64) {
		for range hours * 12 {
			got = window.recommend(filled(map[float64]float64{cores: 300}))
		}
		return got
	}
	if got := feed(2, 12); !near(got, 2*1.10) {
		t.Errorf("at two cores: %.3f", got)
	}
	feed(0.5, 12)
	if mean := window.past.mean(); math.Abs(mean-1) > 0.03 {
		t.Errorf("the weighted mean is %.3f, want 1", mean)
	}
	if got := feed(0.5, 1); got != window.recent[0] || got <= window.recent[11] || len(window.recent) != 12 {
		t.Errorf("%.3f is not the largest of %v, its first", got, window.recent)
	}
	peak := newMovingWindow("max")
	peak.recommend(filled(map[float64]float64{3: 1, 1: 299}))
	for i := range 24*12 - 1 {
		if got := peak.recommend(filled(map[float64]float64{1: 300})); !near(got, 3.3) {
			t.Fatalf("the peak of a day: step %d, %.3f", i, got)
		}
	}
	for range 13 {
		peak.recommend(filled(map[float64]float64{1: 300}))
	}
	if got := peak.recommend(filled(map[float64]float64{1: 300})); !near(got, 1.15) {
		t.Errorf("a day and an hour later: %.3f", got)
	}
}

// TestModel: by hand. Of the samples 97 percent are at one core and 3 percent at
// four. A limit of one core costs 3 percent of what is above it, one of four costs
// the 97 percent below it: at a price of 10 that is 0.3 against 0.97, at 100 it is 3
// against 0.97.
func TestModel(t *testing.T) {
	share := filled(map[float64]float64{1: 0.97, 4: 0.03})
	for price, want := range map[float64]float64{10: 1, 100: 4} {
		m := model{keep: 0.5, margin: 0.1, bucket: -1}
		m.learn(share, weights{above: price})
		if !near(m.limit, want*1.1) {
			t.Errorf("at a price of %v the limit is %.3f", price, m.limit)
		}
	}
	// At 30 it is 0.9 against 0.97, which is not worth a change at a price of 0.1.
	m := model{keep: 0, margin: 0, bucket: bucketOf(4)}
	m.learn(share, weights{above: 30, limit: 0.1})
	if !near(m.limit, 4) {
		t.Errorf("it changes the limit for less than a change costs: %.3f", m.limit)
	}
	m.learn(share, weights{above: 30, limit: 0.05})
	if !near(m.limit, 1) {
		t.Errorf("it does not change the limit for more: %.3f", m.limit)
	}
}

// TestOver: by hand, a limit of two cores costs 3 percent above it, at 10 each, and
// the half below it; what is in its own bucket costs nothing.
func TestOver(t *testing.T) {
	e := newEnsemble(weights{above: 10})
	if got := e.over(filled(map[float64]float64{1: 0.5, 2: 0.47, 4: 0.03}), bounds[bucketOf(2)]); math.Abs(got-0.8) > 1e-9 {
		t.Errorf("%.3f", got)
	}
}

// TestEnsemble: of models that differ in their margins alone, the one without is the
// cheapest where usage never changes: the limit is the usage itself, nothing is
// above it and nothing below. Where a tenth is twice as much each step, a margin
// that does not cover it costs as much as none, so it is the limit that covers it.
func TestEnsemble(t *testing.T) {
	e := newEnsemble(weights{above: 100, limit: 0.1, model: 0.1})
	got := 0.0
	for range 50 {
		got = e.recommend(filled(map[float64]float64{1: 300}))
	}
	if !near(got, 1) || e.models[e.best].margin != 0 {
		t.Errorf("%.3f by %+v", got, e.models[e.best].margin)
	}
	for range 200 {
		got = e.recommend(filled(map[float64]float64{1: 270, 2: 30}))
	}
	if !near(got, 2) {
		t.Errorf("%.3f", got)
	}
}

// TestHorizontalAutopilot: by hand, pods of one core at 70 percent.
func TestHorizontalAutopilot(t *testing.T) {
	a := &autopilotCount{each: 700, chosen: 10}
	feed := func(total scale.Amount, steps int) int64 {
		for range steps {
			a.choose(total)
		}
		return a.chosen
	}
	// ceil(7.7/0.7) = 11 is 10 percent more, 7.701 cores are 12 pods.
	if got := feed(7700, 1); got != 10 {
		t.Errorf("%d pods for a tenth more", got)
	}
	if got := feed(7701, 1); got != 12 {
		t.Errorf("%d pods for more than that", got)
	}
	if got := feed(14_000, 1); got != 20 {
		t.Errorf("%d pods for 14 cores", got)
	}
	// The peak is in the horizon for 863 more steps, and what it asks for in the last two
	// days for 576 more.
	if got := feed(7000, 863+576-1); got != 20 {
		t.Errorf("%d pods while the peak counts", got)
	}
	// Then 5.61 percent of the ten that are too many go each five minutes, rounded
	// up: one at a time.
	if got := feed(7000, 1); got != 19 {
		t.Errorf("%d pods at first", got)
	}
	if got := feed(7000, 9); got != 10 {
		t.Errorf("%d pods in the end", got)
	}
	a.chosen = 1010
	if got := feed(7000, 1); got != 1010-57 {
		t.Errorf("%d pods of a thousand too many", got)
	}
}

// TestAutopilotActs: it takes each second once, decides each five minutes, and keeps
// the number of pods and how far limits are above requests.
func TestAutopilotActs(t *testing.T) {
	a := &autopilot{recommender: newMovingWindow("p95")}
	v := &fake{now: monday, size: sizeOf(3, 1000), ready: 3}
	v.size.Containers[0].Limits = v.size.Containers[0].Limits.With(scale.CPU, 2000)
	v.over = func(from, until time.Time) sim.Usage {
		if until.Sub(from) != time.Second {
			t.Fatal(until.Sub(from))
		}
		return sim.Usage{PerPod: 100, Arrived: 1200}
	}
	var d scale.Decision
	for at := time.Duration(0); at <= autopilotStep; at += 15 * time.Second {
		v.now = monday.Add(at)
		if d = a.decide(v); at < autopilotStep && !d.Want.Equal(v.size) {
			t.Fatalf("after %s it already wants %+v", at, d.Want)
		}
	}
	request, limit := cpuOf(d.Want)
	if !near(cores(request), 0.4*1.15) || limit != 2*request || d.Want.Replicas != 3 {
		t.Errorf("%+v", d.Want)
	}
}
