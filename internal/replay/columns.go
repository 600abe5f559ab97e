package replay

import (
	"fmt"
	"slices"
)

// column is one of a table of results.
type column struct {
	title string
	cell  func(Result) string
	// shown, where it is set, tells whether any result has something to show.
	shown func(Score) bool
}

// tableColumns are those of a table. What a usual plant has no use for is left
// out where it is zero throughout.
var tableColumns = []column{
	{title: "POLICY", cell: func(r Result) string { return r.Policy }},
	{title: "CORE-HOURS", cell: func(r Result) string { return fmt.Sprintf("%.1f", r.Score.CoreHours) }},
	{title: "OF ORACLE", cell: func(r Result) string { return r.Score.ofOracle() }},
	{
		title: "BILLED", cell: func(r Result) string { return fmt.Sprintf("%.1f", r.Score.BilledCoreHours) },
		shown: func(s Score) bool { return s.BilledCoreHours != s.CoreHours },
	},
	{title: "GIB-HOURS", cell: func(r Result) string { return fmt.Sprintf("%.1f", r.Score.GiBHours) }},
	{title: "UNSERVED", cell: func(r Result) string { return fmt.Sprintf("%.3f%%", r.Score.UnservedPercent) }},
	{
		title: "LATE", cell: func(r Result) string { return fmt.Sprintf("%.3f%%", r.Score.Late) },
		shown: func(s Score) bool { return s.P99WaitSeconds > 0 },
	},
	{
		title: "P99 WAIT", cell: func(r Result) string { return fmt.Sprintf("%.3f s", r.Score.P99WaitSeconds) },
		shown: func(s Score) bool { return s.P99WaitSeconds > 0 },
	},
	{title: "STARVED", cell: func(r Result) string { return fmt.Sprintf("%.1f min", r.Score.StarvedMinutes) }},
	{title: "CHANGES", cell: func(r Result) string { return fmt.Sprint(r.Score.Changes) }},
	{title: "POD STARTS", cell: func(r Result) string { return fmt.Sprint(r.Score.PodStarts) }},
	{
		title: "POD RESIZES", cell: func(r Result) string { return fmt.Sprint(r.Score.PodResizes) },
		shown: func(s Score) bool { return s.PodResizes > 0 },
	},
	{
		title: "RESTARTS", cell: func(r Result) string { return fmt.Sprint(r.Score.Restarts) },
		shown: func(s Score) bool { return s.Restarts > 0 },
	},
	{
		title: "OOM KILLS", cell: func(r Result) string { return fmt.Sprint(r.Score.OOMKills) },
		shown: func(s Score) bool { return s.OOMKills > 0 },
	},
	{
		title: "MEAN WAIT", cell: func(r Result) string { return fmt.Sprintf("%.3f s", r.Score.MeanWaitSeconds) },
		shown: func(s Score) bool { return s.MeanWaitSeconds > 0 && s.P99WaitSeconds == 0 },
	},
	{
		title: "PENDING", cell: func(r Result) string { return fmt.Sprintf("%.1f min", r.Score.PendingMinutes) },
		shown: func(s Score) bool { return s.PendingMinutes > 0 },
	},
	{
		title: "MONEY", cell: func(r Result) string { return fmt.Sprintf("%.2f", r.Score.Money) },
		shown: func(s Score) bool { return s.Money > 0 },
	},
	{title: "T", cell: func(r Result) string { return fmt.Sprintf("%.1f", r.Score.T) }, shown: measured},
	{title: "D", cell: func(r Result) string { return fmt.Sprintf("%.1f", r.Score.D) }, shown: measured},
	{title: "H", cell: func(r Result) string { return r.Score.BestHPA.String() }, shown: measured},
	{title: "G", cell: func(r Result) string { return fmt.Sprintf("%.1f%%", 100*r.Score.G) }, shown: measured},
	{title: "H2", cell: func(r Result) string { return r.Score.BestHPA2.String() }, shown: measured},
	{title: "G2", cell: func(r Result) string { return fmt.Sprintf("%.1f%%", 100*r.Score.G2) }, shown: measured},
}

func measured(s Score) bool { return s.Measure != nil }

// shownColumns are the columns that results have something to show in.
func shownColumns(results []Result) []column {
	var out []column
	for _, c := range tableColumns {
		used := c.shown == nil
		for _, r := range results {
			used = used || c.shown(r.Score)
		}
		if used {
			out = append(out, c)
		}
	}
	return out
}

// ofOracle is the cost in multiples of the oracle's.
func (s Score) ofOracle() string {
	if s.OracleCoreHours <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.2fx", s.CoreHours/s.OracleCoreHours)
}

type scoreNumber struct {
	name string
	of   func(Score) float64
}

// scoreNumbers are the numbers of a score sheet by their names. What is new comes
// last, so that columns stay where they are.
var scoreNumbers = []scoreNumber{
	{"coreHours", func(s Score) float64 { return s.CoreHours }},
	{"gibHours", func(s Score) float64 { return s.GiBHours }},
	{"unservedPercent", func(s Score) float64 { return s.UnservedPercent }},
	{"starvedMinutes", func(s Score) float64 { return s.StarvedMinutes }},
	{"changes", func(s Score) float64 { return float64(s.Changes) }},
	{"podStarts", func(s Score) float64 { return float64(s.PodStarts) }},
	{"oracleCoreHours", func(s Score) float64 { return s.OracleCoreHours }},
	{"longestStarvedMinutes", func(s Score) float64 { return s.LongestStarvedMinutes }},
	{"wasteCoreHours", func(s Score) float64 { return s.WasteCoreHours }},
	{"restarts", func(s Score) float64 { return float64(s.Restarts) }},
	{"oomKills", func(s Score) float64 { return float64(s.OOMKills) }},
	{"meanWaitSeconds", func(s Score) float64 { return s.MeanWaitSeconds }},
	{"longestQueueCoreSeconds", func(s Score) float64 { return s.LongestQueueCoreSeconds }},
	{"pendingMinutes", func(s Score) float64 { return s.PendingMinutes }},
	{"billedCoreHours", func(s Score) float64 { return s.BilledCoreHours }},
	{"podStops", func(s Score) float64 { return float64(s.PodStops) }},
	{"podResizes", func(s Score) float64 { return float64(s.PodResizes) }},
	{"violationPercent", func(s Score) float64 { return s.ViolationPercent }},
	{"slack", func(s Score) float64 { return s.Slack }},
	{"late", func(s Score) float64 { return s.Late }},
	{"p50WaitSeconds", func(s Score) float64 { return s.P50WaitSeconds }},
	{"p99WaitSeconds", func(s Score) float64 { return s.P99WaitSeconds }},
	{"money", func(s Score) float64 { return s.Money }},
}

// measuredNumbers follow them where the measure was asked for.
var measuredNumbers = []scoreNumber{
	{"t", func(s Score) float64 { return s.T }},
	{"d", func(s Score) float64 { return s.D }},
	{"bestHPA.target", func(s Score) float64 { return float64(s.BestHPA.Target) }},
	{"bestHPA.t", func(s Score) float64 { return s.BestHPA.T }},
	{"bestHPA.unservedPercent", func(s Score) float64 { return s.BestHPA.UnservedPercent }},
	{"g", func(s Score) float64 { return s.G }},
	{"bestHPA2.target", func(s Score) float64 { return float64(s.BestHPA2.Target) }},
	{"bestHPA2.downWindowSeconds", func(s Score) float64 { return float64(s.BestHPA2.DownWindowSeconds) }},
	{"bestHPA2.t", func(s Score) float64 { return s.BestHPA2.T }},
	{"bestHPA2.unservedPercent", func(s Score) float64 { return s.BestHPA2.UnservedPercent }},
	{"g2", func(s Score) float64 { return s.G2 }},
}

// numbersOf are the numbers that results have.
func numbersOf(results []Result) []scoreNumber {
	if slices.ContainsFunc(results, func(r Result) bool { return r.Score.Measure == nil }) {
		return scoreNumbers
	}
	return slices.Concat(scoreNumbers, measuredNumbers)
}
