package fleet

import (
	"slices"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/shard"
)

// Result is what became of a fleet, or of a shard of it.
type Result struct {
	// Shard is nil for a whole fleet.
	Shard *shard.Shard `json:"shard,omitempty"`
	// Settings are what the pods were like: shards with others cannot be merged.
	Settings []replay.Fact `json:"settings"`
	// Rows are sorted by workload, and each workload's by the order of policies.
	Rows     []Row     `json:"rows"`
	Totals   []Row     `json:"totals"`
	Failures []Failure `json:"failures,omitempty"`
	Warnings []Failure `json:"warnings,omitempty"`
}

// Row is how a policy did on a workload; on all of them in a total.
type Row struct {
	Workload string       `json:"workload,omitempty"`
	Policy   string       `json:"policy"`
	Score    replay.Score `json:"score"`
	// DemandCoreHours is the work that arrived, UnservedCoreHours what was not
	// done of it.
	DemandCoreHours   float64 `json:"demandCoreHours"`
	UnservedCoreHours float64 `json:"unservedCoreHours"`
	// Workloads is how many a total is made of.
	Workloads int `json:"workloads,omitempty"`
}

// Failure is a workload and what is to say about it.
type Failure struct {
	Workload string `json:"workload"`
	Message  string `json:"message"`
}

// totals adds up the rows of each policy, in the order of the rows: so the
// rounding is always the same.
func totals(rows []Row) []Row {
	out := []Row{}
	for _, r := range rows {
		i := slices.IndexFunc(out, func(t Row) bool { return t.Policy == r.Policy })
		if i < 0 {
			i = len(out)
			out = append(out, Row{Policy: r.Policy})
		}
		out[i].add(r)
	}
	return out
}

// add adds a workload to a total. Times add up as well: minutes are those of
// single workloads. The longest is the longest of all, as are the waits that few
// exceed; waiting is weighted by the work that was done, and slack and violations
// are those of the mean workload.
func (t *Row) add(r Row) {
	s, o := &t.Score, &r.Score
	done, more := t.DemandCoreHours-t.UnservedCoreHours, r.DemandCoreHours-r.UnservedCoreHours
	if sum := done + more; sum > 0 {
		s.MeanWaitSeconds = (s.MeanWaitSeconds*done + o.MeanWaitSeconds*more) / sum
	}
	if sum := t.DemandCoreHours + r.DemandCoreHours; sum > 0 {
		s.Late = (s.Late*t.DemandCoreHours + o.Late*r.DemandCoreHours) / sum
	}
	before := float64(t.Workloads)
	s.ViolationPercent = (s.ViolationPercent*before + o.ViolationPercent) / (before + 1)
	s.Slack = (s.Slack*before + o.Slack) / (before + 1)
	s.Measure = s.Measure.Plus(o.Measure)
	t.Workloads++
	t.DemandCoreHours += r.DemandCoreHours
	t.UnservedCoreHours += r.UnservedCoreHours
	if t.DemandCoreHours > 0 {
		s.UnservedPercent = 100 * t.UnservedCoreHours / t.DemandCoreHours
	}
	s.CoreHours += o.CoreHours
	s.GiBHours += o.GiBHours
	s.OracleCoreHours += o.OracleCoreHours
	s.WasteCoreHours += o.WasteCoreHours
	s.StarvedMinutes += o.StarvedMinutes
	s.PendingMinutes += o.PendingMinutes
	s.LongestStarvedMinutes = max(s.LongestStarvedMinutes, o.LongestStarvedMinutes)
	s.LongestQueueCoreSeconds = max(s.LongestQueueCoreSeconds, o.LongestQueueCoreSeconds)
	s.P50WaitSeconds = max(s.P50WaitSeconds, o.P50WaitSeconds)
	s.P99WaitSeconds = max(s.P99WaitSeconds, o.P99WaitSeconds)
	s.BilledCoreHours += o.BilledCoreHours
	s.Money += o.Money
	s.PodStops += o.PodStops
	s.PodResizes += o.PodResizes
	s.Changes += o.Changes
	s.PodStarts += o.PodStarts
	s.Restarts += o.Restarts
	s.OOMKills += o.OOMKills
}
