package learn

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay/plot"
)

// render holds the forms of the answer, by the word that asks for them.
var render = map[string]func(io.Writer, week) error{
	"table":      writeTable,
	"json":       writeJSON,
	"svg":        writeSVG,
	"checkpoint": writeCheckpoint,
	"manifest":   writeManifest,
}

// writeTable prints bounds by hour and day.
func writeTable(out io.Writer, w week) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%-6s", "HOUR")
	for _, day := range w.days {
		fmt.Fprintf(&text, "  %9s", strings.ToUpper(day))
	}
	text.WriteString("\n")
	for i, hour := range w.hours {
		fmt.Fprintf(&text, "%02d:00 ", hour)
		for _, c := range w.cells[i] {
			bounds := "-"
			if c.known {
				bounds = fmt.Sprintf("%d..%d", c.least, c.most)
			}
			fmt.Fprintf(&text, "  %9s", bounds)
		}
		text.WriteString("\n")
	}
	fmt.Fprintf(&text, "\n%s: %d of %d slots are known", w.progress.Phase, w.progress.Known, w.progress.Slots)
	if !w.progress.Last.IsZero() {
		fmt.Fprintf(&text, ", the last will be by %s", w.progress.Last.Format(time.RFC3339))
	}
	text.WriteString("\n")
	_, err := io.WriteString(out, text.String())
	return err
}

type slotView struct {
	Day         string `json:"day"`
	Hour        int    `json:"hour"`
	Value       int32  `json:"value"`
	MinReplicas int32  `json:"minReplicas"`
	MaxReplicas int32  `json:"maxReplicas"`
}

// writeJSON prints the slots that are known.
func writeJSON(out io.Writer, w week) error {
	view := struct {
		Phase string     `json:"phase"`
		Known int        `json:"known"`
		Slots int        `json:"slots"`
		Week  []slotView `json:"week"`
	}{w.progress.Phase.String(), w.progress.Known, w.progress.Slots, []slotView{}}
	for i, hour := range w.hours {
		for j, c := range w.cells[i] {
			if c.known {
				view.Week = append(view.Week, slotView{w.days[j], hour, c.value, c.least, c.most})
			}
		}
	}
	return json.NewEncoder(out).Encode(view)
}

// writeSVG draws a heat map of the largest counts.
func writeSVG(out io.Writer, w week) error {
	m := plot.HeatMap{Title: "Largest ready replicas of the last weeks", Columns: w.days}
	if w.name != "" {
		m.Title = w.name + ": " + strings.ToLower(m.Title[:1]) + m.Title[1:]
	}
	for i, hour := range w.hours {
		row := plot.HeatRow{Name: fmt.Sprintf("%02d:00", hour)}
		for _, c := range w.cells[i] {
			row.Cells = append(row.Cells, plot.HeatCell{Known: c.known, Value: float64(c.value), Text: fmt.Sprint(c.value)})
		}
		m.Rows = append(m.Rows, row)
	}
	return m.WriteSVG(out)
}

// writeCheckpoint prints the history for an object to begin with.
func writeCheckpoint(out io.Writer, w week) error {
	_, err := fmt.Fprintln(out, base64.StdEncoding.EncodeToString(w.learned.Encode()))
	return err
}

// writeManifest prints the history as an object of the cluster. It has no owner:
// the controller gives it one when its object is there.
func writeManifest(out io.Writer, w week) error {
	_, err := fmt.Fprintf(out, "apiVersion: %s\nkind: WorkloadHistory\nmetadata:\n  name: %s\n", v1alpha1.GroupVersion, w.name)
	if err == nil && w.namespace != "" {
		_, err = fmt.Fprintf(out, "  namespace: %s\n", w.namespace)
	}
	if err == nil {
		_, err = fmt.Fprintf(out, "history: %s\n", base64.StdEncoding.EncodeToString(w.learned.Encode()))
	}
	return err
}
