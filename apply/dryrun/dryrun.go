package dryrun

import (
	"context"
	"sync"

	"github.com/tidemark/tidemark/apply"
	"github.com/tidemark/tidemark/scale"
)

// Applier remembers the last decision for each target and changes nothing.
// Only the last is kept, or a controller that runs dry for weeks would grow
// without end. The zero value is ready to use.
type Applier struct {
	mu   sync.Mutex
	last map[apply.Target]scale.Decision
}

var _ apply.Applier = (*Applier)(nil)

// Apply remembers the decision. The outcome is empty, because nothing was
// written.
func (a *Applier) Apply(ctx context.Context, target apply.Target, d scale.Decision) (apply.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return apply.Outcome{}, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.last == nil {
		a.last = map[apply.Target]scale.Decision{}
	}
	a.last[target] = d
	return apply.Outcome{}, nil
}

// Last returns the last decision for a target, and whether there was one.
func (a *Applier) Last(target apply.Target) (scale.Decision, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	d, ok := a.last[target]
	return d, ok
}
