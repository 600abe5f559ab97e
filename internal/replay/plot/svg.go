package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// style keeps the elements short. The font is whatever the viewer reads text
// in; the sizes are the page's.
const style = `text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-size:12px;fill:#3d4451}` +
	`.title{font-size:16px;font-weight:600;fill:#1c2230}.caption{fill:#5b6472}.panel{font-size:13px;font-weight:600;fill:#1c2230}` +
	`.number{font-size:11px}.page{fill:#fbfbf9;stroke:#dcdfe4}.area{fill:#fff}.frame{fill:none;stroke:#c3c8d0}.grid{stroke:#e6e8ec}` +
	`.line{fill:none;stroke-width:2.2;stroke-linejoin:round;stroke-linecap:round}.dashed{stroke-dasharray:6 5}.dot{stroke-width:7}`

// WriteSVG draws the figure. Equal figures are equal bytes.
func (f *Figure) WriteSVG(w io.Writer) error {
	d := &drawing{figure: f, legend: f.legend()}
	d.open()
	d.head()
	for i := range f.Panels {
		d.panel(i)
	}
	d.add("</svg>\n")
	_, err := w.Write(d.text.Bytes())
	return err
}

// drawing is a figure on its way to the page.
type drawing struct {
	figure *Figure
	legend []entry
	text   bytes.Buffer
}

func (d *drawing) add(format string, args ...any) { fmt.Fprintf(&d.text, format, args...) }

func (d *drawing) open() {
	width, height := number(d.figure.width()), number(d.figure.height())
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img">`+"\n", width, height)
	d.add("<title>%s</title>\n", escaped(d.figure.name()))
	d.add("<style>%s</style>\n", style)
	d.add(`<rect class="page" x="0.5" y="0.5" width="%s" height="%s" rx="8"/>`+"\n", number(d.figure.width()-1), number(d.figure.height()-1))
}

// name is what a screen reader says of the figure.
func (f *Figure) name() string {
	if f.Title != "" || len(f.Panels) == 0 {
		return f.Title
	}
	return f.Panels[0].Title
}

// head writes the title, the caption and the legend, one below the other.
func (d *drawing) head() {
	x, y := margin+left, margin
	if d.figure.Title != "" {
		d.label("title", x, y+titleHeight/2+4, "start", d.figure.Title)
		y += titleHeight
	}
	if d.figure.Caption != "" {
		d.label("caption", x, y+lineHeight/2+2, "start", d.figure.Caption)
		y += lineHeight
	}
	for i, at := range d.figure.legendPlaces(d.legend) {
		start, middle := x+at.X, y+at.Y+legendHeight/2+2
		d.path(d.legend[i], []Point{{start, middle}, {start + dash, middle}})
		d.label("entry", start+dash+8, middle+4, "start", d.legend[i].name)
	}
}

func (d *drawing) panel(i int) {
	p, at := &d.figure.Panels[i], d.figure.corner(i)
	x, y := xAxis(p, at.X, at.X+areaWidth), yAxis(p, at.Y+areaHeight, at.Y)
	d.add("<g>\n")
	d.box("area", at)
	d.label("panel", at.X, at.Y-10, "start", p.Title)
	for _, v := range x.ticks {
		d.grid(x.place(v), at.Y, x.place(v), at.Y+areaHeight)
		d.label("number", x.place(v), at.Y+areaHeight+16, "middle", p.XUnit.label(v))
	}
	for _, v := range y.ticks {
		d.grid(at.X, y.place(v), at.X+areaWidth, y.place(v))
		d.label("number", at.X-8, y.place(v)+4, "end", p.YUnit.label(v))
	}
	d.box("frame", at)
	d.label("axis", at.X+areaWidth/2, at.Y+areaHeight+36, "middle", p.XLabel)
	d.upright(at.X-left+16, at.Y+areaHeight/2, p.YLabel)
	for i := range p.Series {
		s := &p.Series[i]
		e, _ := find(d.legend, s.Name)
		e.dashed = s.Dashed
		d.path(e, trace(s, &x, &y))
	}
	d.add("</g>\n")
}

func (d *drawing) box(class string, at Point) {
	d.add(`<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`+"\n", class, number(at.X), number(at.Y), number(areaWidth), number(areaHeight))
}

func (d *drawing) grid(x1, y1, x2, y2 float64) {
	d.add(`<line class="grid" x1="%s" y1="%s" x2="%s" y2="%s"/>`+"\n", number(x1), number(y1), number(x2), number(y2))
}

// path draws a line. A single point is drawn as a dot: a line of no length
// with round ends.
func (d *drawing) path(e entry, points []Point) {
	if len(points) == 0 {
		return
	}
	class := "line"
	if e.dashed {
		class = "line dashed"
	}
	if len(points) == 1 {
		class, points = "line dot", append(points, points[0])
	}
	var way strings.Builder
	for i, p := range points {
		way.WriteByte("ML"[min(i, 1)])
		way.WriteString(number(p.X) + " " + number(p.Y))
	}
	d.add(`<path class="%s" stroke="%s" d="%s"/>`+"\n", class, e.color, way.String())
}

func (d *drawing) label(class string, x, y float64, anchor, text string) {
	if text == "" {
		return
	}
	d.add(`<text class="%s" x="%s" y="%s" text-anchor="%s">%s</text>`+"\n", class, number(x), number(y), anchor, escaped(text))
}

// upright writes a label along the vertical axis.
func (d *drawing) upright(x, y float64, text string) {
	if text == "" {
		return
	}
	d.add(`<text class="axis" transform="translate(%s %s) rotate(-90)" text-anchor="middle">%s</text>`+"\n", number(x), number(y), escaped(text))
}

// number writes a coordinate with two decimals at most: that is finer than any
// screen, and the same on every machine.
func number(v float64) string { return rounded(v, 2) }

func escaped(text string) string {
	var out strings.Builder
	// Writing to a builder cannot fail.
	_ = xml.EscapeText(&out, []byte(text))
	return out.String()
}
