package plot

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// HeatMap is a grid of colored numbers.
type HeatMap struct {
	Title   string
	Columns []string
	Rows    []HeatRow
}

// HeatRow is one line of a heat map.
type HeatRow struct {
	Name  string
	Cells []HeatCell
}

// HeatCell is one number, if it is known.
type HeatCell struct {
	Known bool
	Value float64
	Text  string
}

// Sizes of a heat map, in pixels.
const (
	cellWidth, cellHeight = 56, 20
	heatLeft, heatTop     = 64, 64
	heatMargin            = 16
)

// WriteSVG draws the map. Equal maps are equal bytes.
func (m HeatMap) WriteSVG(out io.Writer) error {
	most := 0.0
	for _, row := range m.Rows {
		for _, c := range row.Cells {
			if c.Known {
				most = max(most, c.Value)
			}
		}
	}
	width, height := heatLeft+len(m.Columns)*cellWidth+heatMargin, heatTop+len(m.Rows)*cellHeight+heatMargin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`+
		"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<text x="%d" y="24" font-size="14" font-weight="bold" fill="#222">%s</text>`+"\n", heatMargin, html.EscapeString(m.Title))
	for j, name := range m.Columns {
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle" fill="#222">%s</text>`+"\n", heatLeft+j*cellWidth+cellWidth/2, heatTop-8, html.EscapeString(name))
	}
	for i, row := range m.Rows {
		y := heatTop + i*cellHeight
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end" fill="#222">%s</text>`+"\n", heatLeft-8, y+14, html.EscapeString(row.Name))
		for j, c := range row.Cells {
			c.write(&b, heatLeft+j*cellWidth, y, most)
		}
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// write draws one cell: from pale to deep blue, or hatched gray where nothing
// is known.
func (c HeatCell) write(b *strings.Builder, x, y int, most float64) {
	fill, ink, text := "#eee", "#888", "–"
	if c.Known {
		share := 0.0
		if most > 0 {
			share = c.Value / most
		}
		fill = fmt.Sprintf("rgb(%.0f,%.0f,%.0f)", 240-240*share, 246-132*share, 252-74*share)
		if ink, text = "#222", c.Text; share > 0.6 {
			ink = "#fff"
		}
	}
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="#fff"/>`+"\n", x, y, cellWidth, cellHeight, fill)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" fill="%s">%s</text>`+"\n", x+cellWidth/2, y+14, ink, html.EscapeString(text))
}
