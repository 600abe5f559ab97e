package plot

// Figure is a grid of panels under one title and one legend.
type Figure struct {
	Title string
	// Caption is a line of text below the title.
	Caption string
	Panels  []Panel
	// Columns is how many panels stand side by side; 0 means two.
	Columns int
}

// Panel is one pair of axes.
type Panel struct {
	Title          string
	XLabel, YLabel string
	// XUnit and YUnit say how numbers are written along the axes.
	XUnit, YUnit Unit
	Series       []Series
}

// Series is one line. Points go from left to right or from right to left, in
// the order in which they happened.
type Series struct {
	Name   string
	Points []Point
	// Step keeps the value until the next point and then changes it at once.
	Step   bool
	Dashed bool
}

// Point is one value. Points that are not finite are left out.
type Point struct{ X, Y float64 }

// Unit is how the numbers of an axis are written.
type Unit uint8

// The units. Cores and GiB are written as Kubernetes quantities: 500m, 8Gi.
const (
	Plain Unit = iota
	Cores
	GiB
)

func (f *Figure) columns() int {
	columns := f.Columns
	if columns <= 0 {
		columns = 2
	}
	return max(1, min(columns, len(f.Panels)))
}

func (f *Figure) rows() int { return (len(f.Panels) + f.columns() - 1) / f.columns() }
