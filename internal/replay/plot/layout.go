package plot

import "unicode/utf8"

// Measures of the page, in pixels.
const (
	areaWidth  = 360.0
	areaHeight = 190.0

	// Around each area: its title above, numbers and labels left and below.
	above, left, below, right = 34.0, 72.0, 48.0, 18.0

	margin       = 16.0
	titleHeight  = 26.0
	lineHeight   = 20.0
	legendHeight = 26.0
	// letter is the width of an average letter of the legend, and dash the
	// length of a legend's sample of a line.
	letter, dash, gap = 6.3, 28.0, 20.0
)

// head is the height of what stands above the panels.
func (f *Figure) head() float64 {
	height := margin
	if f.Title != "" {
		height += titleHeight
	}
	if f.Caption != "" {
		height += lineHeight
	}
	if places := f.legendPlaces(f.legend()); len(places) > 0 {
		height += places[len(places)-1].Y + legendHeight
	}
	return height
}

func (f *Figure) width() float64 {
	return 2*margin + float64(f.columns())*(left+areaWidth+right)
}

func (f *Figure) height() float64 {
	return f.head() + float64(f.rows())*(above+areaHeight+below) + margin
}

// corner is the upper left corner of a panel's area.
func (f *Figure) corner(panel int) Point {
	column, row := panel%f.columns(), panel/f.columns()
	return Point{
		X: margin + left + float64(column)*(left+areaWidth+right),
		Y: f.head() + above + float64(row)*(above+areaHeight+below),
	}
}

// entry is one line of the legend.
type entry struct {
	name   string
	color  string
	dashed bool
}

// colors are those of Okabe and Ito, without the ones too light for a line.
var colors = [...]string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"}

// legend lists the series by name, in the order in which they first appear.
func (f *Figure) legend() []entry {
	var out []entry
	for _, p := range f.Panels {
		for _, s := range p.Series {
			if _, known := find(out, s.Name); !known {
				out = append(out, entry{s.Name, colors[len(out)%len(colors)], s.Dashed})
			}
		}
	}
	return out
}

// legendPlaces returns where each entry starts, from the legend's own corner. A
// row that is full goes on below.
func (f *Figure) legendPlaces(legend []entry) []Point {
	out := make([]Point, len(legend))
	at, most := Point{}, f.width()-2*margin-left-right
	for i, e := range legend {
		width := dash + 8 + letter*float64(utf8.RuneCountInString(e.name))
		if at.X > 0 && at.X+width > most {
			at = Point{0, at.Y + lineHeight}
		}
		out[i] = at
		at.X += width + gap
	}
	return out
}

func find(legend []entry, name string) (entry, bool) {
	for _, e := range legend {
		if e.name == name {
			return e, true
		}
	}
	return entry{}, false
}
