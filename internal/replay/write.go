package replay

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// WriteTable prints the scores one below the other, and the shape of the demand
// and of each policy's replicas. The shapes of replicas have one scale.
func WriteTable(out io.Writer, results []Result) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "POLICY\tCORE-HOURS\tOF ORACLE\tGIB-HOURS\tUNSERVED\tSTARVED\tCHANGES\tPOD STARTS\t")
	for _, r := range results {
		s := r.Score
		ratio := "-"
		if s.OracleCoreHours > 0 {
			ratio = fmt.Sprintf("%.2fx", s.CoreHours/s.OracleCoreHours)
		}
		fmt.Fprintf(table, "%s\t%.1f\t%s\t%.1f\t%.3f%%\t%.1f min\t%d\t%d\t\n",
			r.Policy, s.CoreHours, ratio, s.GiBHours, s.UnservedPercent, s.StarvedMinutes, s.Changes, s.PodStarts)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return writeShapes(out, results)
}

func writeShapes(out io.Writer, results []Result) error {
	lines := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	most := int64(0)
	for _, r := range results {
		most = max(most, peak(r.shape.replicas))
	}
	fmt.Fprintln(lines)
	for i, r := range results {
		if i == 0 {
			fmt.Fprintf(lines, "demand\t%s\tup to %s cores\n", sparkline(r.shape.demand, peak(r.shape.demand)), cores(peak(r.shape.demand)))
		}
		fmt.Fprintf(lines, "%s\t%s\tup to %d pods\n", r.Policy, sparkline(r.shape.replicas, most), peak(r.shape.replicas))
	}
	return lines.Flush()
}

type resultView struct {
	Policy   string   `json:"policy"`
	Score    Score    `json:"score"`
	Timeline []Moment `json:"timeline,omitempty"`
}

func view(r Result) resultView { return resultView{r.Policy, r.Score, r.Timeline} }

// WriteJSON prints one result.
func WriteJSON(out io.Writer, r Result) error { return json.NewEncoder(out).Encode(view(r)) }

// WriteAllJSON prints a list of results.
func WriteAllJSON(out io.Writer, results []Result) error {
	all := struct {
		Results []resultView `json:"results"`
	}{[]resultView{}}
	for _, r := range results {
		all.Results = append(all.Results, view(r))
	}
	return json.NewEncoder(out).Encode(all)
}

// WriteCSV prints a line for each result.
func WriteCSV(out io.Writer, results []Result) error {
	rows := [][]string{{"policy", "coreHours", "gibHours", "unservedPercent", "starvedMinutes", "changes", "podStarts", "oracleCoreHours"}}
	for _, r := range results {
		s := r.Score
		rows = append(rows, []string{
			r.Policy, number(s.CoreHours), number(s.GiBHours), number(s.UnservedPercent), number(s.StarvedMinutes),
			strconv.FormatInt(s.Changes, 10), strconv.FormatInt(s.PodStarts, 10), number(s.OracleCoreHours),
		})
	}
	return csv.NewWriter(out).WriteAll(rows)
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
