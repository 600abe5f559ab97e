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

	LongestStarvedMinutes float64 `json:"longestStarvedMinutes"`
	// WasteCoreHours were requested beyond the work that was done.
	WasteCoreHours float64 `json:"wasteCoreHours"`
	Restarts       int64   `json:"restarts"`
	// What follows is left out where the plant has no such problem.
	OOMKills                int64   `json:"oomKills,omitempty"`
	MeanWaitSeconds         float64 `json:"meanWaitSeconds,omitempty"`
	LongestQueueCoreSeconds float64 `json:"longestQueueCoreSeconds,omitempty"`
	PendingMinutes          float64 `json:"pendingMinutes,omitempty"`
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
	}
	if waste := new(big.Int).Sub(integer(s.Cores), integer(s.Served)); waste.Sign() > 0 {
		out.WasteCoreHours = quotient(waste, new(big.Int).Mul(big.NewInt(perCore), big.NewInt(int64(time.Hour))))
	}
	if served := integer(s.Served); served.Sign() > 0 {
		// Work that waited, over time, by the work itself is nanoseconds.
		out.MeanWaitSeconds = quotient(integer(s.Waited), served.Mul(served, big.NewInt(int64(time.Second))))
	}
	if demand := integer(s.Demand); demand.Sign() > 0 {
		percent := new(big.Int).Mul(integer(s.Unserved), big.NewInt(100))
		out.UnservedPercent = quotient(percent, demand)
	}
	return out
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
