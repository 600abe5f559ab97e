package prometheus

import (
	"sync"
	"time"
)

// longestRest is the longest that a server which is busy is left alone. One that
// wants more is not waited for.
const longestRest = 5 * time.Minute

// rests is until when a server wants to be left alone.
type rests struct {
	sync.Mutex
	end time.Time
}

// until leaves the server alone for so long. It is false where that is too long.
func (r *rests) until(now time.Time, rest time.Duration) bool {
	if rest > longestRest {
		return false
	}
	r.Lock()
	defer r.Unlock()
	if end := now.Add(rest); end.After(r.end) {
		r.end = end
	}
	return true
}

// left is how long the server is left alone from now on.
func (r *rests) left(now time.Time) time.Duration {
	r.Lock()
	defer r.Unlock()
	return r.end.Sub(now)
}
