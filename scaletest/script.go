package scaletest

import (
	"fmt"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// loadLine is one row of a load block.
type loadLine struct {
	name string
	// total marks a demand that is shared by the ready pods.
	total  bool
	values []loadValue
}

// loadValue is a value, or a gap.
type loadValue struct {
	amount scale.Amount
	known  bool
}

// at returns the value of a step; past the end there is a gap.
func (l loadLine) at(step int) loadValue {
	if step < 0 || step >= len(l.values) {
		return loadValue{}
	}
	return l.values[step]
}

// expectation is one row of an eval block.
type expectation struct {
	line     int
	text     string
	from, to time.Duration
	move     move
}

// move is what must be decided: a change or a stay, and why. An empty reason
// is not checked.
type move struct {
	before, after size
	reason        scale.Reason
	limitedBy     scale.Reason
}

func (m move) stay() bool { return m.before == m.after }

// size is a replica count, and the requests where they are stated.
type size struct {
	replicas int32
	requests scale.Resources
}

func (s size) String() string {
	text := fmt.Sprint(s.replicas)
	if !s.requests.Empty() {
		text += " x" + resourcesText(s.requests)
	}
	return text
}
