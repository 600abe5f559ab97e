package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// tunedMessage says which setting was chosen and when, and what it and the others
// would have cost. It is short enough for a status.
func tunedMessage(t *scale.Tuned) string {
	if t == nil {
		return "sized by what a replay of the workload's own past found cheapest"
	}
	costs := make([]string, 0, len(t.Candidates))
	for _, c := range t.Candidates {
		costs = append(costs, fmt.Sprintf("%s %s+%s", inBrief(c.Setting), hours(c.First), hours(c.Second)))
	}
	text := fmt.Sprintf("sized by %s since %s", inBrief(t.Setting), t.At.Format(time.RFC3339))
	if t.Before != t.Setting {
		text += ", before by " + inBrief(t.Before)
	}
	if len(costs) > 0 {
		text += "; core-hours in the first and second half of the past: " + strings.Join(costs, ", ")
	}
	return text
}

// TunedEvent says what a change of the setting was, with the figures that it was
// made by.
func TunedEvent(t *scale.Tuned) string {
	text := fmt.Sprintf("sized by %s from now on, before by %s", t.Setting, t.Before)
	to, known := t.Cost(t.Setting)
	from, other := t.Cost(t.Before)
	if known && other {
		text += fmt.Sprintf(": over the past that was replayed it would have cost %s and %s core-hours instead of %s and %s",
			hours(to.First), hours(to.Second), hours(from.First), hours(from.Second))
	}
	return text
}

// hours prints core-hours, to a hundredth.
func hours(a scale.Amount) string {
	return fmt.Sprintf("%d.%02d", a/scale.Thousand, a%scale.Thousand/10)
}

// inBrief is a setting in a word or two.
func inBrief(s scale.Setting) string {
	if s.Target == 0 && s.Wait > 0 {
		return fmt.Sprintf("headroom/wait %d%%", s.Wait)
	}
	return s.String()
}

// TunedTable is what self-tuning found as a table: each candidate with what it would
// have cost in both halves, and a mark at the one that was chosen.
func TunedTable(t *scale.Tuned) string {
	rows := [][4]string{{"", "SETTING", "FIRST HALF", "SECOND HALF"}}
	widths := [4]int{1, len(rows[0][1]), len(rows[0][2]), len(rows[0][3])}
	for _, c := range t.Candidates {
		row := [4]string{"", inBrief(c.Setting), hours(c.First), hours(c.Second)}
		if c.Setting == t.Setting {
			row[0] = "*"
		}
		for i := range row {
			widths[i] = max(widths[i], len(row[i]))
		}
		rows = append(rows, row)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "self-tuned at %s, in core-hours:\n", t.At.Format(time.RFC3339))
	for _, r := range rows {
		fmt.Fprintf(&out, "  %-*s %-*s  %*s  %*s\n", widths[0], r[0], widths[1], r[1], widths[2], r[2], widths[3], r[3])
	}
	return out.String()
}
