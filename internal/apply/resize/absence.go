package resize

import (
	"sync"
	"time"
)

// askAgainAfter is how long an API server that has no pods/resize is taken at its
// word. It may be upgraded meanwhile.
const askAgainAfter = 5 * time.Minute

// Absence remembers that the API server has no pods/resize, so that it is not
// asked for each pod of each workload at each look. All appliers share one; nil
// remembers nothing.
type Absence struct {
	mu     sync.Mutex
	answer error
	until  time.Time
}

// known is the answer that a request would have, as far as that is known.
func (a *Absence) known(now time.Time) error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if now.Before(a.until) {
		return a.answer
	}
	return nil
}

// note takes an answer in.
func (a *Absence) note(answer error, now time.Time) {
	if a == nil || !lacksResize(answer) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answer, a.until = answer, now.Add(askAgainAfter)
}
