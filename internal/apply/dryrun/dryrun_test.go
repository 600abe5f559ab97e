package dryrun_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/applytest"
	"github.com/tidemark/tidemark/internal/apply/dryrun"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

var web = targetref.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}

func decision(from, want int32) scale.Decision {
	return scale.Decision{
		From: scale.Size{Replicas: from}, Want: scale.Size{Replicas: want}, Proposed: scale.Size{Replicas: want},
		Reason: scale.AboveTarget,
	}
}

func TestContract(t *testing.T) {
	applytest.Run(t, func(*testing.T) applytest.World {
		return applytest.World{
			Applier: dryrun.Applier{}, Target: web, Decision: decision(3, 5), AtRest: decision(3, 3), Still: true,
			Objects: func() []any { return nil }, Writes: func() int { return 0 }, Interfere: func() {},
		}
	})
}

// TestWritesAndKeepsNothing: an object that is deleted leaves nothing behind.
func TestWritesAndKeepsNothing(t *testing.T) {
	var a dryrun.Applier
	got, err := a.Apply(t.Context(), web, decision(3, 5))
	if diff := cmp.Diff(apply.Outcome{}, got); diff != "" || err != nil {
		t.Errorf("outcome (-want +got):\n%s, error %v", diff, err)
	}
	if a != (dryrun.Applier{}) {
		t.Errorf("it keeps %+v", a)
	}
}
