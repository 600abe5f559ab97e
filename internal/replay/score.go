package replay

import (
	"math"
	"math/big"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Score is a score sheet as it is printed. The names are API.
type Score struct {
	CoreHours       float64 `json:"coreHours"`
	GiBHours        float64 `json:"gibHours"`
	UnservedPercent float64 `json:"unservedPercent"`
	StarvedMinutes  float64 `json:"starvedMinutes"`
	Changes         int64   `json:"changes"`
	PodStarts       int64   `json:"podStarts"`
	OracleCoreHours float64 `json:"oracleCoreHours"`
	// BilledCoreHours are those of max(request, usage) of each pod, and of what is
	// kept free for them.
	BilledCoreHours float64 `json:"billedCoreHours"`
	PodStops        int64   `json:"podStops"`
	PodResizes      int64   `json:"podResizes"`
	// ViolationPercent is the share of minutes in which more than 90 % of the
	// capacity was asked for. Slack is what is left of the limits beyond the 95th
	// percentile of a day's usage, in percent.
	ViolationPercent float64 `json:"violationPercent"`
	Slack            float64 `json:"slack"`

	LongestStarvedMinutes float64 `json:"longestStarvedMinutes"`
	// WasteCoreHours were requested beyond the work that was done.
	WasteCoreHours float64 `json:"wasteCoreHours"`
	Restarts       int64   `json:"restarts"`
	// What follows is left out where the plant has no such problem.
	OOMKills int64 `json:"oomKills,omitempty"`
	// Late is the percentage of work that was done late.
	Late                    float64 `json:"late,omitempty"`
	MeanWaitSeconds         float64 `json:"meanWaitSeconds,omitempty"`
	P50WaitSeconds          float64 `json:"p50WaitSeconds,omitempty"`
	P99WaitSeconds          float64 `json:"p99WaitSeconds,omitempty"`
	LongestQueueCoreSeconds float64 `json:"longestQueueCoreSeconds,omitempty"`
	PendingMinutes          float64 `json:"pendingMinutes,omitempty"`
	// Money is what all of it costs, where there are prices.
	Money float64 `json:"money,omitempty"`
	// Total is T. It is printed as a part of the measure, where that was asked for.
	Total float64 `json:"-"`
	*Measure
}

// Moment is one decision as it is printed.
type Moment struct {
	At time.Time `json:"at"`
	// Demand is in cores.
	Demand   float64 `json:"demand"`
	Replicas int32   `json:"replicas"`
	Ready    int32   `json:"ready"`
	Want     int32   `json:"want"`
	// Reason and LimitedBy are empty for what is no policy of the engine.
	Reason    scale.Reason `json:"reason,omitempty"`
	LimitedBy scale.Reason `json:"limitedBy,omitempty"`
	// CPU and WantCPU are what one pod requests, and should, in cores.
	CPU     float64 `json:"cpu"`
	WantCPU float64 `json:"wantCPU"`
}

// resizes tells whether the decision changes anything.
func (m Moment) resizes() bool { return m.Want != m.Replicas || m.WantCPU != m.CPU }

func momentOf(m sim.Moment) Moment {
	d := m.Decision
	return Moment{
		At: m.At, Demand: float64(m.Demand) / float64(scale.Thousand), Replicas: d.From.Replicas, Ready: m.Ready,
		Want: d.Want.Replicas, Reason: d.Reason, LimitedBy: d.LimitedBy,
		CPU: inUnits(podCPU(d.From)), WantCPU: inUnits(podCPU(d.Want)),
	}
}

// ScoreOf returns a score sheet as it is printed.
func ScoreOf(s sim.Score) Score {
	out := Score{
		CoreHours: hours(s.Cores, perCore), GiBHours: hours(s.Memory, perGiB),
		StarvedMinutes: rounded(s.Starved.Minutes()), Changes: s.Changes, PodStarts: s.PodStarts,
		LongestStarvedMinutes: rounded(s.LongestStarved.Minutes()), Restarts: s.Restarts, OOMKills: s.OutOfMemory,
		LongestQueueCoreSeconds: per(s.LongestQueue, perCore, time.Second), PendingMinutes: rounded(s.Pending.Minutes()),
		BilledCoreHours: hours(s.Billed, perCore), PodStops: s.PodStops, PodResizes: s.PodResizes, Slack: rounded(100 * float64(s.Slack) / float64(scale.Parts)),
		P50WaitSeconds: rounded(s.Wait50.Seconds()), P99WaitSeconds: rounded(s.Wait99.Seconds()),
	}
	if waste := new(big.Int).Sub(integer(s.Cores), integer(s.Served)); waste.Sign() > 0 {
		out.WasteCoreHours = quotient(waste, new(big.Int).Mul(big.NewInt(perCore), big.NewInt(int64(time.Hour))))
	}
	if served := integer(s.Served); served.Sign() > 0 {
		// Work that waited, over time, by the work itself is nanoseconds.
		out.MeanWaitSeconds = quotient(integer(s.Waited), served.Mul(served, big.NewInt(int64(time.Second))))
	}
	if s.WaitMean > 0 {
		out.MeanWaitSeconds = rounded(s.WaitMean.Seconds())
	}
	if s.Minutes > 0 {
		out.ViolationPercent = rounded(100 * float64(s.Violations) / float64(s.Minutes))
	}
	if demand := integer(s.Demand); demand.Sign() > 0 {
		percent := new(big.Int).Mul(integer(s.Unserved), big.NewInt(100))
		out.UnservedPercent = quotient(percent, demand)
		out.Late = quotient(percent.Mul(integer(s.Late), big.NewInt(100)), demand)
	}
	return out
}

// scoreOf is a score sheet with what it costs in this plant, and where that is
// asked for its measure.
func (r *Replay) scoreOf(s sim.Score) (Score, error) {
	out := ScoreOf(s)
	out.Total = r.plant.Prices.total(s).hours()
	out.Money = rounded((out.BilledCoreHours*float64(r.plant.PriceCPU) + out.GiBHours*float64(r.plant.PriceMemory)) / float64(scale.Parts))
	if !r.plant.Measured {
		return out, nil
	}
	measured, err := r.Measure(s)
	out.Measure = &measured
	return out, err
}

// What one unit is in the thousandths of a score.
const (
	perCore = int64(scale.Thousand)
	perGiB  = int64(scale.Thousand) << 30
)

// hours is a work in a unit's hours.
func hours(w sim.Work, unit int64) float64 { return per(w, unit, time.Hour) }

// per is a work in units over a time.
func per(w sim.Work, unit int64, d time.Duration) float64 {
	return quotient(integer(w), new(big.Int).Mul(big.NewInt(unit), big.NewInt(int64(d))))
}

func quotient(a, b *big.Int) float64 {
	q, _ := new(big.Rat).SetFrac(a, b).Float64()
	return rounded(q)
}

// rounded keeps six digits behind the point: more would be noise to a reader.
func rounded(x float64) float64 { return math.Round(x*1e6) / 1e6 }
