package fleet

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/tidemark/tidemark/internal/replay"
)

// Write prints a result in a form: json, csv or table.
func (r Result) Write(out io.Writer, form string) error {
	switch form {
	case "json":
		return json.NewEncoder(out).Encode(r)
	case "csv":
		return replay.WriteFleetCSV(out, r.results(r.Rows))
	}
	return replay.WriteFleetTable(out, r.results(slices.Concat(r.Rows, r.named())))
}

// named are the totals with a name for the column of workloads.
func (r Result) named() []Row {
	out := slices.Clone(r.Totals)
	for i := range out {
		out[i].Workload = fmt.Sprintf("ALL %d", out[i].Workloads)
	}
	return out
}

// results are rows as replays print them.
func (r Result) results(rows []Row) []replay.Result {
	out := make([]replay.Result, len(rows))
	for i, row := range rows {
		out[i] = replay.Result{Workload: row.Workload, Policy: row.Policy, Score: row.Score}
	}
	return out
}
