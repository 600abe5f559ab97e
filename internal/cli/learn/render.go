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
var render = map[string]func(io.Writer, answer) error{
	"table":      writeTable,
	"json":       writeJSON,
	"svg":        writeSVG,
	"checkpoint": writeCheckpoint,
	"manifest":   writeManifest,
}

// writeTable prints bounds by hour and day.
func writeTable(out io.Writer, w answer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%-6s", "HOUR")
	for _, day := range w.Days {
		fmt.Fprintf(&text, "  %9s", strings.ToUpper(day))
	}
	text.WriteString("\n")
	for i, hour := range w.Hours {
		fmt.Fprintf(&text, "%02d:00 ", hour)
		for _, c := range w.Cells[i] {
			bounds := "-"
			if c.Known {
				bounds = fmt.Sprintf("%d..%d", c.Least, c.Most)
			}
			fmt.Fprintf(&text, "  %9s", bounds)
		}
		text.WriteString("\n")
	}
	fmt.Fprintf(&text, "\n%s: %d of %d slots are known", w.Progress.Phase, w.Progress.Known, w.Progress.Slots)
	if !w.Progress.Last.IsZero() {
		fmt.Fprintf(&text, ", the last will be by %s", w.Progress.Last.Format(time.RFC3339))
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
func writeJSON(out io.Writer, w answer) error {
	view := struct {
		Phase string     `json:"phase"`
		Known int        `json:"known"`
		Slots int        `json:"slots"`
		Week  []slotView `json:"week"`
	}{w.Progress.Phase.String(), w.Progress.Known, w.Progress.Slots, []slotView{}}
	for i, hour := range w.Hours {
		for j, c := range w.Cells[i] {
			if c.Known {
				view.Week = append(view.Week, slotView{w.Days[j], hour, c.Value, c.Least, c.Most})
			}
		}
	}
	return json.NewEncoder(out).Encode(view)
}

// writeSVG draws a heat map of the largest counts.
func writeSVG(out io.Writer, w answer) error {
	m := plot.HeatMap{Title: "Largest ready replicas of the last weeks", Columns: w.Days}
	if w.name != "" {
		m.Title = w.name + ": " + strings.ToLower(m.Title[:1]) + m.Title[1:]
	}
	for i, hour := range w.Hours {
		row := plot.HeatRow{Name: fmt.Sprintf("%02d:00", hour)}
		for _, c := range w.Cells[i] {
			row.Cells = append(row.Cells, plot.HeatCell{Known: c.Known, Value: float64(c.Value), Text: fmt.Sprint(c.Value)})
		}
		m.Rows = append(m.Rows, row)
	}
	return m.WriteSVG(out)
}

// writeCheckpoint prints the history for an object to begin with.
func writeCheckpoint(out io.Writer, w answer) error {
	_, err := fmt.Fprintln(out, base64.StdEncoding.EncodeToString(w.learned.Encode()))
	return err
}

// writeManifest prints the history as an object of the cluster. It has no owner:
// the controller gives it one when its object is there.
func writeManifest(out io.Writer, w answer) error {
	_, err := fmt.Fprintf(out, "apiVersion: %s\nkind: WorkloadHistory\nmetadata:\n  name: %s\n", v1alpha1.GroupVersion, w.name)
	if err == nil && w.namespace != "" {
		_, err = fmt.Fprintf(out, "  namespace: %s\n", w.namespace)
	}
	if err == nil {
		_, err = fmt.Fprintf(out, "history: %s\n", base64.StdEncoding.EncodeToString(w.learned.Encode()))
	}
	return err
}
