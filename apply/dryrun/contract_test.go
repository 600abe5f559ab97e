package dryrun_test

import (
	"testing"

	"github.com/tidemark/tidemark/apply/applytest"
	"github.com/tidemark/tidemark/apply/dryrun"
)

func TestContract(t *testing.T) {
	applytest.Run(t, func(*testing.T) applytest.World {
		return applytest.World{
			Applier: &dryrun.Applier{}, Target: web, Decision: decision(3, 5), AtRest: decision(3, 3), Still: true,
			Objects: func() []any { return nil }, Writes: func() int { return 0 }, Interfere: func() {},
		}
	})
}
