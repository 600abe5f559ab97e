package dryrun_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/apply"
	"github.com/tidemark/tidemark/apply/dryrun"
	"github.com/tidemark/tidemark/scale"
)

var (
	web   = apply.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	other = apply.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "other"}
)

func decision(from, want int32) scale.Decision {
	return scale.Decision{
		From: scale.Size{Replicas: from}, Want: scale.Size{Replicas: want}, Proposed: scale.Size{Replicas: want},
		Reason: scale.AboveTarget,
	}
}

func TestRemembersTheLastDecisionAndWritesNothing(t *testing.T) {
	var a dryrun.Applier
	for _, d := range []scale.Decision{decision(3, 5), decision(3, 6)} {
		got, err := a.Apply(t.Context(), web, d)
		if diff := cmp.Diff(apply.Outcome{}, got); diff != "" || err != nil {
			t.Errorf("outcome (-want +got):\n%s, error %v", diff, err)
		}
	}
	got, ok := a.Last(web)
	if diff := cmp.Diff(decision(3, 6), got); diff != "" || !ok {
		t.Errorf("the last decision (-want +got):\n%s, known %v", diff, ok)
	}
	if got, ok := a.Last(other); ok {
		t.Errorf("a target nothing was decided for has decision %v", got)
	}
}

func TestACancelledCallIsNotRemembered(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var a dryrun.Applier
	if _, err := a.Apply(ctx, web, decision(3, 5)); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
	if got, ok := a.Last(web); ok {
		t.Errorf("remembers %v", got)
	}
}

// TestTargetsAtTheSameTime has its worth under the race detector.
func TestTargetsAtTheSameTime(t *testing.T) {
	var a dryrun.Applier
	var all sync.WaitGroup
	for _, target := range []apply.Target{web, other} {
		all.Go(func() {
			if _, err := a.Apply(t.Context(), target, decision(1, 2)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, target := range []apply.Target{web, other} {
		if _, ok := a.Last(target); !ok {
			t.Errorf("nothing is remembered for %s", target.Name)
		}
	}
}
