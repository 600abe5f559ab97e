package feed

import (
	"cmp"
	"slices"
	"time"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/scale"
)

// Row is a workload in the table of the fleet.
type Row struct {
	Key
	Kind   string            `json:"kind"`
	Labels map[string]string `json:"labels,omitempty"`
	Mode   string            `json:"mode"`
	// Replicas are found and Want decided, within Min and Max; Ready pods serve, -1
	// where that is not known.
	Replicas int32 `json:"replicas"`
	Want     int32 `json:"want"`
	Ready    int32 `json:"ready"`
	Min      int32 `json:"min"`
	Max      int32 `json:"max"`
	// Size and WantSize are what a pod requests, as explain prints it.
	Size     string `json:"size"`
	WantSize string `json:"wantSize"`
	Reason   string `json:"reason"`
	Limited  string `json:"limitedBy"`
	Headline string `json:"headline"`
	// Needs are the words of the counters that the row counts in.
	Needs []Need `json:"needs"`
	// Why says of each need that is a condition's what the condition says.
	Why string `json:"why,omitempty"`
	// Changed is when the size last changed, in milliseconds; 0 is not known.
	Changed int64 `json:"changed"`
	// The last day, as in Day.
	Demand   string  `json:"demand"`
	Capacity string  `json:"capacity"`
	Top      float64 `json:"top"`
	Changes  int     `json:"changes"`
	// Starved is -1 where that is not known.
	Starved float64  `json:"starved"`
	Waste   *float64 `json:"waste"`
	// Saving is what the wanted size requests less than the present one, in cores.
	Saving float64 `json:"saving"`
	// Money is what that comes to in a day, where there are prices, and WasteMoney what
	// was paid in the last day for cores that nobody used.
	Money      *float64 `json:"money,omitempty"`
	WasteMoney *float64 `json:"wasteMoney,omitempty"`
}

// Prices are what an hour of a core and of a GiB costs; zero is not known.
type Prices struct{ CPU, Memory float64 }

// Need is a counter of the fleet.
type Need string

// The counters, in their order.
const (
	NeedsLook       Need = "needs a look"
	AtMaximum       Need = "at maximum"
	NoData          Need = "no data"
	Paused          Need = "paused"
	RecommendOnly   Need = "recommend only"
	Conflicts       Need = "conflicts"
	WaitingForNodes Need = "waiting for nodes"
)

// counter is a counter of the fleet with the reasons that count in it.
type counter struct {
	need    Need
	reasons []scale.Reason
	// looked tells whether a person should look at it.
	looked bool
}

var counters = []counter{
	{AtMaximum, []scale.Reason{scale.MaxReplicas, scale.LearnedMax, scale.ScheduledMax, scale.MaximumResource, scale.Quota, scale.LimitRange,
		scale.NodeSize}, true},
	{NoData, []scale.Reason{scale.NoData, scale.PartialData, scale.Fallback, scale.FormulaMissing}, true},
	{Paused, []scale.Reason{scale.Paused}, false},
	{RecommendOnly, []scale.Reason{scale.Recommend}, false},
	{Conflicts, []scale.Reason{scale.SharedTarget, scale.ForeignAutoscaler, scale.Conflict}, true},
	{WaitingForNodes, []scale.Reason{scale.Unschedulable}, true},
}

// unsettling are further reasons for a person to look.
var unsettling = []scale.Reason{scale.CrashLooping, scale.OutOfMemory, scale.InvalidSpec, scale.TargetMissing, scale.TargetUnreadable,
	scale.Forbidden, scale.TooManyObjects, scale.ApplyFailed, scale.MemoryLost, scale.HistoryUnreadable}

// Judge returns the counters of some reasons, and the words of the first that a
// person should look at. Nothing is judged here but which word belongs to which
// counter.
func Judge(said []explain.Condition, limitedBy scale.Reason) (needs []Need, why string) {
	reasons := []scale.Reason{limitedBy}
	for _, c := range said {
		reasons = append(reasons, scale.Reason(c.Reason))
	}
	for _, c := range counters {
		if slices.ContainsFunc(c.reasons, func(r scale.Reason) bool { return slices.Contains(reasons, r) }) {
			needs = append(needs, c.need)
		}
	}
	if !slices.ContainsFunc(reasons, worthALook) {
		return needs, ""
	}
	for _, c := range said {
		if worthALook(scale.Reason(c.Reason)) {
			why = cmp.Or(why, c.Message)
		}
	}
	return append([]Need{NeedsLook}, needs...), why
}

// worthALook tells whether a person should look at what has this reason.
func worthALook(r scale.Reason) bool {
	return slices.Contains(unsettling, r) ||
		slices.ContainsFunc(counters, func(c counter) bool { return c.looked && slices.Contains(c.reasons, r) })
}

// RowOf returns the row of a decision and a history.
func RowOf(key Key, mode string, d *scale.Decision, h *History, p Prices) Row {
	last, changed := h.Last()
	view, today := explain.ViewOf(*d), h.Day()
	row := Row{
		Key: key, Kind: "Deployment", Mode: mode, Replicas: d.From.Replicas, Want: d.Want.Replicas, Ready: int32(last.Values[Ready]),
		Min: d.Bounds.Min, Max: d.Bounds.Max, Size: view.From.Pod(), WantSize: view.Proposed.Pod(),
		Reason: string(d.Reason), Limited: string(d.LimitedBy), Headline: explain.Headline(*d),
		Changed: since(changed), Needs: []Need{},
	}
	if d.Want.Replicas == d.From.Replicas {
		row.Want = d.Proposed.Replicas
	}
	row.AddDay(today, p)
	if needs, why := Judge(explain.Conditions(*d), d.LimitedBy); len(needs) > 0 {
		row.Needs, row.Why = needs, why
	}
	cores, gib := total(d.From)
	wantedCores, wantedGiB := total(d.Proposed)
	row.AddSaving(cores-wantedCores, gib-wantedGiB, p)
	return row
}

// AddSaving adds what is requested less in the wanted size than in the present one.
func (r *Row) AddSaving(cores, gib float64, p Prices) {
	if r.Saving = cores; p != (Prices{}) {
		money := 24 * (cores*p.CPU + gib*p.Memory)
		r.Money = &money
	}
}

// total is what all pods request, in cores and GiB.
func total(s scale.Size) (cores, gib float64) {
	cpu, memory := podSize(s)
	return float64(units(cpu)) * float64(s.Replicas), float64(units(memory)) * float64(s.Replicas) / (1 << 30)
}

// AddDay adds what happened in the last day. Of memory nobody knows what is used.
func (r *Row) AddDay(d Day, p Prices) {
	r.Demand, r.Capacity, r.Top, r.Changes, r.Starved, r.Waste = d.Demand, d.Capacity, d.Top, d.Changes, d.Starved, d.Waste
	if r.WasteMoney = nil; d.Waste != nil && p.CPU > 0 {
		money := d.Unused * p.CPU
		r.WasteMoney = &money
	}
}

func since(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}
