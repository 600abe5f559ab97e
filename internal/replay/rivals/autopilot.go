package rivals

import (
	"math"
	"slices"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Times of Autopilot's vertical recommenders, by its paper (Rzadca et al.,
// EuroSys '20).
const (
	autopilotStep     = 5 * time.Minute
	autopilotHalfLife = 12 * time.Hour
	autopilotHold     = time.Hour
	// autopilotPeak is how far back the peak goes. The paper does not say.
	autopilotPeak = 24 * time.Hour
)

// autopilot sizes pods as Autopilot does: it takes the usage of each second, sums
// it up each five minutes, and asks a recommender. The number of pods stays what
// it is.
//
// In Borg a task may use more cpu than its limit while the machine has room, and
// Autopilot sees that it does. So a sample is the work that came for a pod, and
// not only what its limit let it do: a limit that hides what is beyond it would
// never grow again.
type autopilot struct {
	recommender
	now    histogram
	seen   time.Time
	step   time.Time
	chosen scale.Amount
	// came is the last sample, and bucket where it belongs.
	came   scale.Amount
	bucket int
}

// recommender says how much cpu a pod should have, given the usage of the last
// five minutes.
type recommender interface {
	recommend(now *histogram) float64
}

// Autopilot returns Autopilot's moving window with a statistic.
func Autopilot(s *sim.Settings, statistic Statistic) sim.Controller {
	return vertical(s, newMovingWindow(statistic))
}

func vertical(s *sim.Settings, r recommender) sim.Controller {
	settle(s)
	s.Recall = max(s.Recall, s.Sync+time.Second)
	return controller{&autopilot{recommender: r}}
}

func (a *autopilot) decide(v View) scale.Decision {
	now := v.Now()
	if a.seen.IsZero() {
		a.seen, a.step = now, now
	}
	for ; !a.seen.Add(time.Second).After(now); a.seen = a.seen.Add(time.Second) {
		came := v.UsageOver(a.seen, a.seen.Add(time.Second)).Arrived / scale.Amount(max(v.Ready(), 1))
		if came != a.came {
			a.came, a.bucket = came, bucketOf(cores(came))
		}
		a.now[a.bucket]++
	}
	if now.Sub(a.step) >= autopilotStep {
		a.step = now
		a.chosen = milli(a.recommend(&a.now))
		a.now = histogram{}
	}
	if a.chosen == 0 {
		return counted(v, v.Size().Replicas)
	}
	return sized(v, v.Size().Replicas, a.chosen)
}

// Statistic is what a moving window makes of the usage it has seen.
type Statistic string

// Statistics are those of the paper: the peak, the weighted average for batch
// jobs, and percentiles for those that serve.
var Statistics = []Statistic{"p95", "p90", "p98", "mean", "max"}

// movingWindow recommends a statistic of the usage so far, in which a sample of
// twelve hours ago counts half, with a margin, and the largest of the last hour.
type movingWindow struct {
	statistic Statistic
	past      histogram
	// peaks and recent are the largest usage, and the recommendations, of the
	// steps before.
	peaks, recent []float64
}

func newMovingWindow(s Statistic) *movingWindow { return &movingWindow{statistic: s} }

func (m *movingWindow) recommend(now *histogram) float64 {
	m.past.decay(math.Exp2(-float64(autopilotStep) / float64(autopilotHalfLife)))
	m.past.add(now)
	m.peaks = recent(append(m.peaks, now.max()), autopilotPeak)
	m.recent = recent(append(m.recent, withMargin(m.raw())), autopilotHold)
	return slices.Max(m.recent)
}

func (m *movingWindow) raw() float64 {
	switch m.statistic {
	case "mean":
		return m.past.mean()
	case "max":
		return slices.Max(m.peaks)
	case "p90":
		return m.past.percentile(0.90)
	case "p98":
		return m.past.percentile(0.98)
	}
	return m.past.percentile(0.95)
}

// withMargin adds the margin of the paper, 10 to 15 percent and less for large
// limits. Where it ends is not published: here it is at a core.
func withMargin(cores float64) float64 {
	if cores < 1 {
		return cores * 1.15
	}
	return max(cores*1.10, 1.15)
}
