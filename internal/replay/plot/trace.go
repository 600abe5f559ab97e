package plot

import "math"

// closeEnough is how far, in pixels, a line may pass from a point that is left
// out. Nobody can see a twentieth of a pixel.
const closeEnough = 0.05

// trace returns the places a series goes through on the page, without those
// that lie on the straight line between their neighbors.
func trace(s *Series, x, y *axis) []Point {
	var out []Point
	for i, p := range s.finite() {
		at := Point{x.place(p.X), y.place(p.Y)}
		if s.Step && i > 0 {
			out = append(out, Point{at.X, out[len(out)-1].Y})
		}
		out = append(out, at)
	}
	return thin(out)
}

// thin is the algorithm of Ramer, Douglas and Peucker: keep the point farthest
// from the line between the ends, if it is far enough to matter, and do the
// same on both sides of it.
func thin(points []Point) []Point {
	if len(points) < 3 {
		return points
	}
	first, last := points[0], points[len(points)-1]
	farthest, distance := 0, 0.0
	for i := 1; i < len(points)-1; i++ {
		if d := distanceFrom(points[i], first, last); d > distance {
			farthest, distance = i, d
		}
	}
	if distance <= closeEnough {
		return []Point{first, last}
	}
	left, right := thin(points[:farthest+1]), thin(points[farthest:])
	return append(left[:len(left)-1:len(left)-1], right...)
}

// distanceFrom is how far a point is from the stretch between two others.
func distanceFrom(p, a, b Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	length := dx*dx + dy*dy
	along := 0.0
	if length > 0 {
		along = max(0, min(1, ((p.X-a.X)*dx+(p.Y-a.Y)*dy)/length))
	}
	return math.Hypot(p.X-a.X-along*dx, p.Y-a.Y-along*dy)
}
