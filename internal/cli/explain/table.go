package explain

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tidemark/tidemark/scale"
)

// writeTable prints the intervals for people: for each resource what one pod
// gets and what that is in all, each going up and coming down.
func writeTable(out io.Writer, s subject) error {
	rows := rowsOf(s.rules)
	var groups []group
	for _, res := range known(s.rules) {
		u := unitOf(rows, res)
		groups = append(groups,
			u.group("PER POD", res, rows, func(r *row) int32 { return r.replicas }),
			u.group("IN ALL", res, rows, func(*row) int32 { return 1 }))
	}
	first, second := strings.Repeat(" ", len(counted)), counted
	for _, g := range groups {
		first += between + g.pad(g.title)
		second += between + g.pad(g.cells("UP TO", "IN AT"))
	}
	text := trimmed(first) + trimmed(second)
	for i := range rows {
		line := fmt.Sprintf("%*d", len(counted), rows[i].replicas)
		for _, g := range groups {
			line += between + g.pad(g.cells(g.up[i], g.in[i]))
		}
		text += trimmed(line)
	}
	_, err := io.WriteString(out, text)
	return err
}

// counted is the title of the first column, between what stands between two
// groups of columns.
const counted, between = "REPLICAS", "    "

// group is two columns under one title: going up and coming down.
type group struct {
	title  string
	up, in []string
	// width is that of each of the two columns.
	width int
}

// cells sets two cells to the right of their columns.
func (g *group) cells(up, in string) string {
	return fmt.Sprintf("%*s  %*s", g.width, up, g.width, in)
}

// pad makes room for the wider of the title and the columns.
func (g *group) pad(text string) string {
	return fmt.Sprintf("%-*s", max(len(g.title), 2*g.width+2), text)
}

func trimmed(line string) string { return strings.TrimRight(line, " ") + "\n" }

// unit is how the table writes the amounts of a resource.
type unit struct {
	suffix string
	size   float64
}

// unitOf writes cpu in cores, and memory in the binary unit that makes the
// largest pod a number of a few digits.
func unitOf(rows []row, res scale.Resource) unit {
	if res == scale.CPU {
		return unit{"", float64(scale.Thousand)}
	}
	const mebi = float64(scale.Thousand) * (1 << 20)
	last := &rows[len(rows)-1]
	if float64(last.perPod(last.edges[res].max)) < 1024*mebi {
		return unit{" (Mi)", mebi}
	}
	return unit{" (Gi)", 1024 * mebi}
}

// group writes a resource's edges, each shared by so many pods.
func (u unit) group(title string, res scale.Resource, rows []row, share func(*row) int32) group {
	g := group{title: strings.ToUpper(res.String()) + " " + title + u.suffix, width: len("UP TO")}
	for i := range rows {
		e, by := &rows[i].edges[res], float64(share(&rows[i]))
		in := "-"
		if e.hasIn {
			in = u.text(float64(e.in) / by)
		}
		g.up, g.in = append(g.up, u.text(float64(e.max)/by)), append(g.in, in)
		g.width = max(g.width, len(g.up[i]), len(in))
	}
	return g
}

// text writes an amount with three decimals at most.
func (u unit) text(amount float64) string {
	text := strconv.FormatFloat(amount/u.size, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
