package limit

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Rules is the compiled policy of the stage.
type Rules struct {
	Up, Down Direction
	// Min and Max are the bounds that were stated.
	Min, Max int32
	// Step is the multiple counts are rounded up to; 1 rounds nothing.
	Step int32
	// Plain is set when the object states no behavior. Then a count exactly one
	// stabilization window old still counts.
	Plain bool
	// Doubling is the classic cap of an object without a behavior: at most
	// double, or four pods, at once.
	Doubling bool
	Mode     Mode
	// Paused is the administrator's switch over all objects.
	Paused bool
	// Pauses are those of the object, the strongest first.
	Pauses []Pause
	// ToZero is how long zero, or the idle count, must have been desired first.
	ToZero time.Duration
	// Windows are the maintenance windows.
	Windows []Window
	// Upstream switches every deliberate difference from the HPA off.
	Upstream bool
}

// Direction is what limits changes in one direction.
type Direction struct {
	// Window is the stabilization window.
	Window   time.Duration
	Policies []Policy
	Select   Select
	// Percent caps one decision at a share of the current count; nil caps
	// nothing, zero forbids the direction.
	Percent *int32
	// Forbidden is how long after any scaling event the direction stays shut.
	Forbidden time.Duration
	// Delay is how long the value must have been outside the band first.
	Delay time.Duration
	// Update tells when the direction may change anything at all.
	Update Update
	// MinChange is the smallest change of a total that is worth making.
	MinChange scale.Shares
}

// Policy allows a change of some pods, or percent, within a period.
type Policy struct {
	Percent bool
	Value   int32
	Period  time.Duration
}

// Select tells which of several policies counts.
type Select uint8

// The ways to select: the loosest policy, the tightest, or none at all.
const (
	Loosest Select = iota
	Tightest
	Disabled
)

// Mode is what may be done with a decision.
type Mode uint8

// The modes.
const (
	Auto Mode = iota
	Recommend
	Off
)

func (r *Rules) direction(d scale.Direction) *Direction {
	if d == scale.Up {
		return &r.Up
	}
	return &r.Down
}

// longestPeriod is how long an event can matter to a policy.
func (r *Rules) longestPeriod() time.Duration {
	return max(r.Up.longestPeriod(), r.Down.longestPeriod())
}

func (d *Direction) longestPeriod() time.Duration {
	longest := time.Duration(0)
	for _, p := range d.Policies {
		longest = max(longest, p.Period)
	}
	return longest
}
