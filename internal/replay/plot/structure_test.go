package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
)

var nan = math.NaN()

// box is a rectangle of the page.
type box struct{ x, y, width, height float64 }

// hairline is what rounding to two decimals may move a coordinate by.
const hairline = 0.01

func (b box) holds(p Point) bool {
	return p.X >= b.x-hairline && p.X <= b.x+b.width+hairline && p.Y >= b.y-hairline && p.Y <= b.y+b.height+hairline
}

// picture is what a reader of the SVG finds: the panels' areas, and for each
// the points of its lines.
type picture struct {
	page   box
	areas  []box
	traces [][]Point
	texts  []string
}

// parse reads a drawn figure, and fails where it is not well-formed.
func parse(t interface{ Fatalf(string, ...any) }, figure Figure) picture {
	var text bytes.Buffer
	if err := figure.WriteSVG(&text); err != nil {
		t.Fatalf("writing: %v", err)
	}
	var out picture
	for decoder := xml.NewDecoder(&text); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			out.element(token)
		case xml.CharData:
			out.texts = append(out.texts, string(token))
		}
	}
}

func (p *picture) element(e xml.StartElement) {
	attributes := map[string]string{}
	for _, a := range e.Attr {
		attributes[a.Name.Local] = a.Value
	}
	class := strings.Fields(attributes["class"] + " none")[0]
	place := box{float(attributes["x"]), float(attributes["y"]), float(attributes["width"]), float(attributes["height"])}
	switch {
	case class == "page":
		p.page = place
	case class == "area":
		p.areas, p.traces = append(p.areas, place), append(p.traces, nil)
	case class == "line" && len(p.areas) > 0:
		last := &p.traces[len(p.traces)-1]
		for _, at := range strings.FieldsFunc(attributes["d"], func(r rune) bool { return r == 'M' || r == 'L' }) {
			x, y, _ := strings.Cut(at, " ")
			*last = append(*last, Point{float(x), float(y)})
		}
	}
}

func float(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nan
	}
	return v
}

func TestPointsStayInTheirPanel(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		figure := figures().Draw(t, "figure")
		got := parse(t, figure)
		if len(got.areas) != len(figure.Panels) {
			t.Fatalf("%d areas for %d panels", len(got.areas), len(figure.Panels))
		}
		for i, area := range got.areas {
			if !got.page.holds(Point{area.x, area.y}) || !got.page.holds(Point{area.x + area.width, area.y + area.height}) {
				t.Fatalf("panel %d at %v is not on the page %v", i, area, got.page)
			}
			for _, p := range got.traces[i] {
				if !area.holds(p) {
					t.Fatalf("panel %d: %v is not in %v", i, p, area)
				}
			}
		}
	})
}

// figures are drawn with numbers of every magnitude and with nonsense.
func figures() *rapid.Generator[Figure] {
	numbers := rapid.OneOf(
		rapid.Float64Range(0, 100), rapid.Float64Range(-1e6, 1e6), rapid.SampledFrom([]float64{0, 1, 1e-6, 1e9, nan, math.Inf(1)}))
	points := rapid.Custom(func(t *rapid.T) Point { return Point{numbers.Draw(t, "x"), numbers.Draw(t, "y")} })
	series := rapid.Custom(func(t *rapid.T) Series {
		return Series{
			Name: rapid.String().Draw(t, "name"), Points: rapid.SliceOfN(points, 0, 20).Draw(t, "points"),
			Step: rapid.Bool().Draw(t, "step"), Dashed: rapid.Bool().Draw(t, "dashed"),
		}
	})
	units := rapid.SampledFrom([]Unit{Plain, Cores, GiB})
	panels := rapid.Custom(func(t *rapid.T) Panel {
		return Panel{
			Title: rapid.String().Draw(t, "title"), XLabel: rapid.String().Draw(t, "label"),
			XUnit: units.Draw(t, "unit"), YUnit: units.Draw(t, "unit"), Series: rapid.SliceOfN(series, 0, 4).Draw(t, "series"),
		}
	})
	return rapid.Custom(func(t *rapid.T) Figure {
		return Figure{
			Title: rapid.String().Draw(t, "title"), Columns: rapid.IntRange(0, 3).Draw(t, "columns"),
			Panels: rapid.SliceOfN(panels, 0, 5).Draw(t, "panels"),
		}
	})
}

// TestStepsAreSquare: a step keeps its value until the next point.
func TestStepsAreSquare(t *testing.T) {
	got := parse(t, Figure{Panels: []Panel{{Series: []Series{{Name: "a", Step: true, Points: []Point{{0, 1}, {4, 3}, {8, 3}}}}}}})
	trace := got.traces[0]
	if len(trace) != 4 || trace[0].Y != trace[1].Y || trace[1].X != trace[2].X || trace[2].Y != trace[3].Y {
		t.Errorf("not a square step: %v", trace)
	}
}

// TestStraightLinesAreShort: points on a straight line are left out, the ends
// and the corners are kept.
func TestStraightLinesAreShort(t *testing.T) {
	var points []Point
	for i := range 1000 {
		points = append(points, Point{float64(i), math.Abs(float64(i) - 300)})
	}
	got := parse(t, Figure{Panels: []Panel{{Series: []Series{{Name: "a", Points: points}}}}})
	if len(got.traces[0]) != 3 {
		t.Errorf("a line with one corner has %d points: %v", len(got.traces[0]), got.traces[0])
	}
}

// TestSeriesKeepTheirColor: one name is one color, and one legend entry.
func TestSeriesKeepTheirColor(t *testing.T) {
	figure := small()
	legend := figure.legend()
	if len(legend) != 3 || legend[0].name != "rising" || legend[0].color == legend[1].color || legend[1].color == legend[2].color {
		t.Errorf("legend %v", legend)
	}
}
