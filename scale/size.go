package scale

import "slices"

// Size is how many pods a workload has and how big each of them is.
type Size struct {
	Replicas   int32
	Containers []Container
}

// Container is the size of one container: what it requests and may use.
type Container struct {
	Name     string
	Requests Resources
	Limits   Resources
}

// WithReplicas returns the same pods in another number. The containers are
// shared: a Size is never changed in place.
func (s Size) WithReplicas(n int32) Size {
	s.Replicas = n
	return s
}

// Equal tells whether two sizes are the same.
func (s Size) Equal(other Size) bool {
	return s.Replicas == other.Replicas && slices.Equal(s.Containers, other.Containers)
}

// Direction is where a change goes.
type Direction int8

// The directions.
const (
	Down Direction = iota - 1
	None
	Up
)

// DirectionOf returns the direction from one count to another.
func DirectionOf(from, to int32) Direction {
	switch {
	case to > from:
		return Up
	case to < from:
		return Down
	}
	return None
}

// String names the direction as a user would.
func (d Direction) String() string {
	return [...]string{"down", "none", "up"}[d+1]
}

// Band is where a metric's value should be. A plain target is a band whose
// two marks are equal.
type Band struct {
	Low, High Amount
}

// Single tells whether the band is a plain target.
func (b Band) Single() bool { return b.Low == b.High }
