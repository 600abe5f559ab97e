package limit

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Pause is one pause of an object.
type Pause struct {
	scale.Pause
	// Off says that nothing is paused, whatever a later one says.
	Off bool
}

// PausedAt is the pause that holds at a moment: of those that have not ended, the
// first. Nil is none.
func (r *Rules) PausedAt(at time.Time) *scale.Pause {
	for i := range r.Pauses {
		if p := &r.Pauses[i]; p.InForce(at) {
			if p.Off {
				return nil
			}
			return &p.Pause
		}
	}
	return nil
}
