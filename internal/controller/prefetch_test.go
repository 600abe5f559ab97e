package controller

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/shard"
)

// TestHistoriesAreListedAtTheStart: a history that was listed is not read again, and
// the first round knows what it holds. It serves once, because later someone else
// may have written it.
func TestHistoriesAreListedAtTheStart(t *testing.T) {
	w := newWorld(t, object(t, "web", learningPolicy))
	w.hours(w.controller(), 3)
	newest := w.stored().UpdatedAt
	next := w.controller()
	next.histories.prefetch(t.Context())
	next.histories.Direct = failingReader{w.client}
	w.mustRound(next)
	if got := next.histories.of(keyOf("web")).learner.History.Newest(); got.Before(newest.Add(-saveEvery)) {
		t.Errorf("it knows of nothing after %s", got)
	}
	if next.histories.early.take(keyOf("web")) != nil {
		t.Error("it serves twice")
	}
}

// TestHistoriesOfOthersAreNotListed: those of another shard, of an object that a
// neighbor still learns of, and of one that had its first round.
func TestHistoriesOfOthersAreNotListed(t *testing.T) {
	const name = "web"
	key := client.ObjectKey{Namespace: "shop", Name: name}
	theirs := 0
	if owns(shard.Shard{Index: 0, Of: 2}, key) {
		theirs = 1
	}
	for name, prepare := range map[string]func(*world, *Reconciler){
		"of another shard": func(_ *world, r *Reconciler) { r.histories.Shard = shard.Shard{Index: theirs, Of: 2} },
		"of a neighbor": func(_ *world, r *Reconciler) {
			r.histories.Neighbors = &Neighbors{known: true, older: []shard.Shard{{}}}
		},
		"of an object that was looked at": func(w *world, r *Reconciler) { w.mustRound(r) },
	} {
		t.Run(name, func(t *testing.T) {
			obj := object(t, "web", learningPolicy)
			stored := &v1alpha1.WorkloadHistory{}
			stored.Namespace, stored.Name = obj.Namespace, obj.Name
			w := newWorld(t, obj, stored)
			r := w.controller()
			prepare(w, r)
			r.histories.prefetch(t.Context())
			if r.histories.early.take(key) != nil {
				t.Error("it is kept")
			}
		})
	}
}
