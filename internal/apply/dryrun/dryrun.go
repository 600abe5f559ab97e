package dryrun

import (
	"context"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// Applier changes nothing, and keeps nothing: a controller may run dry for
// weeks, and what it decided stands in the status of each object.
type Applier struct{}

var _ apply.Applier = Applier{}

// Apply does nothing. The outcome is empty, because nothing was written.
func (Applier) Apply(ctx context.Context, _ targetref.Target, _ scale.Decision) (apply.Outcome, error) {
	return apply.Outcome{}, ctx.Err()
}
