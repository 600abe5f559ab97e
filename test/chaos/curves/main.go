package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/internal/replay/plot"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "name the folder of a run, such as bin/chaos/seed-1")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder string, out io.Writer) error {
	file, err := os.Open(filepath.Join(folder, "curves.csv"))
	if err != nil {
		return err
	}
	defer file.Close()
	f, err := figureOf(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file.Name(), err)
	}
	return f.WriteSVG(out)
}

// panels are the columns behind the time and the controller, and by what they are divided.
var panels = []struct {
	title, unit string
	by          float64
}{
	{"memory", "MiB", 1 << 20}, {"goroutines", "", 1}, {"descriptors", "", 1}, {"longest overdue", "s", 1},
}

// figureOf draws the largest value of each half minute for each of the controllers,
// through all their starts.
func figureOf(in io.Reader) (*plot.Figure, error) {
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return nil, err
	}
	f := &plot.Figure{}
	for _, p := range panels {
		f.Panels = append(f.Panels, plot.Panel{Title: p.title, XLabel: "minutes", YLabel: p.unit})
	}
	var began time.Time
	for i, row := range rows[min(1, len(rows)):] {
		at, err := time.Parse(time.RFC3339, row[0])
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+2, err)
		}
		if began.IsZero() {
			began = at
		}
		name, _, _ := strings.Cut(row[1], "-")
		for p := range panels {
			value, err := strconv.ParseFloat(row[2+p], 64)
			if err != nil {
				return nil, fmt.Errorf("row %d: %w", i+2, err)
			}
			add(&f.Panels[p], "controller "+name, plot.Point{X: at.Sub(began).Truncate(step).Minutes(), Y: value / panels[p].by})
		}
	}
	return f, nil
}

const step = 30 * time.Second

// add adds a point, or raises that of the same time.
func add(p *plot.Panel, name string, at plot.Point) {
	i := 0
	for i < len(p.Series) && p.Series[i].Name != name {
		i++
	}
	if i == len(p.Series) {
		p.Series = append(p.Series, plot.Series{Name: name})
	}
	s := &p.Series[i]
	if last := len(s.Points) - 1; last >= 0 && s.Points[last].X == at.X {
		s.Points[last].Y = max(s.Points[last].Y, at.Y)
		return
	}
	s.Points = append(s.Points, at)
}
