package replay

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// columns are those of a timeline.
var columns = []string{"time", "demand", "replicas", "ready", "want", "reason", "limitedBy", "cpu", "wantCPU"}

func (m Moment) row() []string {
	return []string{
		m.At.Format(time.RFC3339), number(m.Demand), strconv.Itoa(int(m.Replicas)), strconv.Itoa(int(m.Ready)), strconv.Itoa(int(m.Want)),
		string(m.Reason), string(m.LimitedBy), number(m.CPU), number(m.WantCPU),
	}
}

// WriteTimelineCSV prints a line for each decision.
func WriteTimelineCSV(out io.Writer, r Result) error {
	rows := [][]string{columns}
	for _, m := range r.Timeline {
		rows = append(rows, m.row())
	}
	return csv.NewWriter(out).WriteAll(rows)
}

// WriteTimelineTable prints the decisions that changed the size: between them
// nothing happens that a person would read.
func WriteTimelineTable(out io.Writer, r Result) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, strings.ToUpper(strings.Join(columns, "\t")))
	for _, m := range r.Timeline {
		if m.resizes() {
			fmt.Fprintln(table, strings.Join(m.row(), "\t"))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	return WriteTable(out, []Result{r})
}
