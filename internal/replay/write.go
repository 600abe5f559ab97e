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
	if err := writeScores(out, results, shownColumns(results)); err != nil {
		return err
	}
	return writeShapes(out, results)
}

// WriteFleetTable prints the scores of many workloads, without shapes.
func WriteFleetTable(out io.Writer, results []Result) error {
	workload := column{title: "WORKLOAD", cell: func(r Result) string { return r.Workload }}
	return writeScores(out, results, append([]column{workload}, shownColumns(results)...))
}

func writeScores(out io.Writer, results []Result, shown []column) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, c := range shown {
		fmt.Fprintf(table, "%s\t", c.title)
	}
	fmt.Fprintln(table)
	for _, r := range results {
		for _, c := range shown {
			fmt.Fprintf(table, "%s\t", c.cell(r))
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
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
	return writeCSV(out, results, []string{"policy"}, func(r Result) []string { return []string{r.Policy} })
}

// WriteFleetCSV prints a line for each workload and policy.
func WriteFleetCSV(out io.Writer, results []Result) error {
	return writeCSV(out, results, []string{"workload", "policy"}, func(r Result) []string { return []string{r.Workload, r.Policy} })
}

// writeCSV prints the numbers of each result after its names.
func writeCSV(out io.Writer, results []Result, header []string, names func(Result) []string) error {
	numbers := numbersOf(results)
	for _, n := range numbers {
		header = append(header, n.name)
	}
	rows := [][]string{header}
	for _, r := range results {
		row := names(r)
		for _, n := range numbers {
			row = append(row, number(n.of(r.Score)))
		}
		rows = append(rows, row)
	}
	return csv.NewWriter(out).WriteAll(rows)
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
