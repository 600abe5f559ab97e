package race

import (
	"fmt"
	"io"
	"strings"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
)

// Result is how a contestant did on a demand.
type Result struct {
	Name  string
	Score sim.Score
	// Target is the percentage of an HPA, 0 for everyone else.
	Target  int32
	Measure replay.Measure
}

// Goal is what Tidemark wants to reach beside an HPA: no more unserved work, at
// 80 % of the cost or less, with no more changes, and at most half as far from
// the oracle.
type Goal struct {
	Unserved, Cost, Changes, Half bool
}

// Reached tells whether all of it was.
func (g Goal) Reached() bool { return g.Unserved && g.Cost && g.Changes && g.Half }

// GoalOf compares.
func GoalOf(ours, hpa, oracle sim.Score) Goal {
	o, h, best := replay.ScoreOf(ours), replay.ScoreOf(hpa), replay.ScoreOf(oracle)
	return Goal{
		Unserved: o.UnservedPercent <= h.UnservedPercent, Cost: o.CoreHours <= 0.8*h.CoreHours, Changes: o.Changes <= h.Changes,
		Half: o.CoreHours-best.CoreHours <= (h.CoreHours-best.CoreHours)/2,
	}
}

// String lists what was not reached.
func (g Goal) String() string {
	var missed []string
	for _, part := range []struct {
		name    string
		reached bool
	}{{"unserved", g.Unserved}, {"cost", g.Cost}, {"changes", g.Changes}, {"half way", g.Half}} {
		if !part.reached {
			missed = append(missed, part.name)
		}
	}
	if len(missed) == 0 {
		return "reached"
	}
	return "not: " + strings.Join(missed, ", ")
}

// find returns the result of a contestant.
func find(results []Result, name string) sim.Score {
	for _, r := range results {
		if r.Name == name {
			return r.Score
		}
	}
	return sim.Score{}
}

// WriteTable writes the results of one demand. The last column says of each HPA
// whether Tidemark's recommended policy reached the goal beside it.
func WriteTable(out io.Writer, d Demand, results []Result) error {
	oracle, ours := find(results, "oracle"), find(results, RecommendedName)
	best := replay.ScoreOf(oracle).CoreHours
	m := results[0].Measure
	text := fmt.Sprintf("\n### %s\n\nD %.1f, H %s, H2 %s\n\n"+
		"| | T | G | G2 | core-hours | of oracle | unserved | starved | changes | pod starts | goal beside it "+
		"|\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n", d.Name, m.D, m.BestHPA, m.BestHPA2)
	for _, r := range results {
		s, goal := replay.ScoreOf(r.Score), ""
		if r.Target > 0 {
			goal = GoalOf(ours, r.Score, oracle).String()
		}
		text += fmt.Sprintf("| %s | %.1f | %.0f %% | %.0f %% | %.0f | %.2f | %.4f %% | %.0f min | %d | %d | %s |\n",
			r.Name, r.Measure.T, 100*r.Measure.G, 100*r.Measure.G2, s.CoreHours, s.CoreHours/best, s.UnservedPercent, s.StarvedMinutes, s.Changes, s.PodStarts, goal)
	}
	_, err := io.WriteString(out, text)
	return err
}

// Tally counts, for each target of an HPA, how often each part of the goal was
// reached.
type Tally map[int32]*Parts

// Parts are how often each part of the goal was reached.
type Parts struct{ All, Unserved, Cost, Changes, Half, Of int }

// Add counts the results of one demand.
func (t Tally) Add(results []Result) {
	oracle, ours := find(results, "oracle"), find(results, RecommendedName)
	for _, r := range results {
		if r.Target == 0 {
			continue
		}
		if t[r.Target] == nil {
			t[r.Target] = &Parts{}
		}
		p, g := t[r.Target], GoalOf(ours, r.Score, oracle)
		p.Of++
		for _, part := range []struct {
			into    *int
			reached bool
		}{{&p.All, g.Reached()}, {&p.Unserved, g.Unserved}, {&p.Cost, g.Cost}, {&p.Changes, g.Changes}, {&p.Half, g.Half}} {
			if part.reached {
				*part.into++
			}
		}
	}
}

// Write writes the tally as a table.
func (t Tally) Write(out io.Writer) error {
	text := "\n| beside | whole goal | no more unserved | 80 % of the cost | no more changes | half way to the oracle | of |\n|---|--:|--:|--:|--:|--:|--:|\n"
	for _, percent := range Targets {
		if p := t[percent]; p != nil {
			text += fmt.Sprintf("| HPA %d %% | %d | %d | %d | %d | %d | %d |\n", percent, p.All, p.Unserved, p.Cost, p.Changes, p.Half, p.Of)
		}
	}
	_, err := io.WriteString(out, text)
	return err
}
