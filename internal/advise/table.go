package advise

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Sort puts what is worth doing first: by what it saves in all, what is not sure
// after what is, and what could not be judged last.
func Sort(all []Advice) {
	rank := map[Verdict]int{Adopt: 0, Tune: 0, Keep: 1, Unjudged: 2}
	slices.SortStableFunc(all, func(a, b Advice) int {
		return cmp.Or(
			cmp.Compare(rank[a.Verdict], rank[b.Verdict]),
			cmp.Compare(unsure(a), unsure(b)),
			-cmp.Compare(a.worth(), b.worth()),
			cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
	})
}

func unsure(a Advice) int {
	if a.Sure == Low {
		return 1
	}
	return 0
}

// worth is what following the advice saves in all.
func (a *Advice) worth() float64 { return a.Now.Cost - a.then().Cost }

// then is what the advice leads to.
func (a *Advice) then() *Outcome {
	if a.Verdict == Tune {
		return &a.BestHPA
	}
	return &a.Recommended
}

// column is one of the table.
type column struct {
	title string
	cell  func(*Advice) string
}

var columns = []column{
	{"WORKLOAD", func(a *Advice) string { return a.Namespace + "/" + a.Name }},
	{"SCALED BY", func(a *Advice) string { return a.Scaled }},
	{"PODS", move("%.1f", func(o *Outcome) float64 { return o.Replicas })},
	{"CPU", move("%.2f", func(o *Outcome) float64 { return o.CPU })},
	{"CORE-HOURS", move("%.0f", func(o *Outcome) float64 { return o.Score.BilledCoreHours })},
	{"GIB-HOURS", move("%.0f", func(o *Outcome) float64 { return o.Score.GiBHours })},
	{"MONEY", move("%.2f", func(o *Outcome) float64 { return o.Score.Money })},
	{"UNSERVED", move("%.2f%%", func(o *Outcome) float64 { return o.Score.UnservedPercent })},
	{"LATE", move("%.2f%%", func(o *Outcome) float64 { return o.Score.Late })},
	{"CHANGES", move("%.0f", func(o *Outcome) float64 { return float64(o.Score.Changes) })},
	{"BEST HPA", func(a *Advice) string {
		if a.BestHPA.Target == 0 {
			return "-"
		}
		return fmt.Sprintf("%d%%: %.0f", a.BestHPA.Target, a.BestHPA.Score.BilledCoreHours)
	}},
	{"REPLAY ERROR", func(a *Advice) string {
		if a.ReplayError == nil {
			return "-"
		}
		return fmt.Sprintf("%.0f%%", *a.ReplayError*100)
	}},
	{"SURE", func(a *Advice) string { return string(a.Sure) }},
	{"VERDICT", func(a *Advice) string { return string(a.Verdict) }},
}

// move is a number now and with the recommended policy.
func move(format string, of func(*Outcome) float64) func(*Advice) string {
	return func(a *Advice) string {
		if a.Now.Policy == "" {
			return "-"
		}
		return fmt.Sprintf(format+" -> "+format, of(&a.Now), of(&a.Recommended))
	}
}

// WriteTable prints a row for each workload, and below them a sentence for each,
// with what speaks against it.
func WriteTable(out io.Writer, all []Advice) error {
	priced := slices.ContainsFunc(all, func(a Advice) bool { return a.Now.Score.Money > 0 })
	var text strings.Builder
	rows := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	line := func(cell func(column) string) {
		var cells []string
		for _, c := range columns {
			if c.title != "MONEY" || priced {
				cells = append(cells, cell(c))
			}
		}
		fmt.Fprintln(rows, strings.Join(cells, "\t"))
	}
	line(func(c column) string { return c.title })
	for i := range all {
		line(func(c column) string { return c.cell(&all[i]) })
	}
	if err := rows.Flush(); err != nil {
		return err
	}
	text.WriteString("\n" + Summarize(all).String() + "\n" + MemoryNote + "\n")
	for i := range all {
		text.WriteString("\n" + all[i].sentences())
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// sentences are what the table has no room for.
func (a *Advice) sentences() string {
	text := fmt.Sprintf("%s/%s: %s\n", a.Namespace, a.Name, a.Says)
	for _, list := range []struct {
		word  string
		lines []string
	}{{"doubt", a.Doubts}, {"note", a.Notes}, {"problem", a.Problems}} {
		for _, l := range list.lines {
			text += "  " + list.word + ": " + l + "\n"
		}
	}
	return text
}
