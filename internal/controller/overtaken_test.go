package controller

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// behind is a client whose cache stopped at an object.
type behind struct {
	client.Client
	at *v1alpha1.WorkloadAutoscaler
}

func (b *behind) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	if into, ok := obj.(*v1alpha1.WorkloadAutoscaler); ok && b.at != nil {
		*into = *b.at.DeepCopy()
		return nil
	}
	return b.Client.Get(ctx, key, obj, opts...)
}

// memoryOf is the memory that the status has.
func (w *world) memoryOf() string {
	w.t.Helper()
	if raw := w.web().Status.Memory; raw != nil {
		return string(raw.Raw)
	}
	return ""
}

// TestAnOldLeaderNeverOverwritesNewerMemory: a leader is paused in the middle of
// its work, another one takes over and scales, and the old one goes on: with what
// it had seen, with a status that it could not write, or with what is there now.
func TestAnOldLeaderNeverOverwritesNewerMemory(t *testing.T) {
	for name, goesOn := range map[string]func(w *world, old *Reconciler, cache *behind){
		"with what it had seen": func(w *world, old *Reconciler, cache *behind) {
			w.after(10 * time.Second)
			_, _ = w.round(old)
		},
		"with a status it could not write": func(w *world, old *Reconciler, cache *behind) {
			cache.at = nil
			w.after(time.Second)
			_, _ = w.round(old)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, object(t, "web", queuePolicy))
			cache := &behind{Client: w.client}
			old := w.controller()
			old.Client = cache
			w.mustRound(old)
			cache.at = w.web()
			w.inQueue(500)
			w.onStatus = func() error { return errors.New("no answer") }
			w.after(time.Minute)
			_, _ = w.round(old)
			w.onStatus = nil

			next := w.controller()
			w.inQueue(1200)
			w.after(time.Minute)
			w.mustRound(next)

			w.inQueue(100)
			goesOn(w, old, cache)
			// Once it sees what is there, it decides with that.
			cache.at = nil
			w.after(time.Second)
			_, _ = w.round(old)
			if got := w.memoryOf(); !strings.Contains(got, `{"at":"2026-01-05T12:02:00Z","value":12}`) {
				t.Errorf("that 12 were desired is forgotten: %s", got)
			}
		})
	}
}

// TestItsOwnWritesAreNobodyElses: a cache that is behind its own writes, and
// labels that someone changes, do not make a controller forget.
func TestItsOwnWritesAreNobodyElses(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	cache := &behind{Client: w.client}
	r := w.controller()
	r.Client = cache
	w.mustRound(r)
	for i := range 5 {
		if i%2 == 0 {
			cache.at = w.web()
		}
		w.inQueue(int64(300 + 100*i))
		w.after(time.Minute)
		w.mustRound(r)
		if run, ok := r.lastRuns.of(w.web()); !ok || !run.memory.Seen {
			t.Fatalf("round %d: forgotten", i)
		}
		obj := w.web()
		metav1.SetMetaDataLabel(&obj.ObjectMeta, "round", string(rune('a'+i)))
		if err := w.client.Update(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
		if r.statuses.foreign(w.web()) {
			t.Fatalf("round %d: taken for someone else's", i)
		}
	}
}

// TestAHistoryIsNotLostToANotFound: someone deletes it, or the API server says so.
// What was learned is written again.
func TestAHistoryIsNotLostToANotFound(t *testing.T) {
	w := newWorld(t, object(t, "web", learningPolicy))
	r := w.controller()
	w.hours(r, 3)
	before := r.histories.of(keyOf("web")).learner.History.Newest()
	if err := w.client.Delete(t.Context(), w.stored()); err != nil {
		t.Fatal(err)
	}
	w.hours(r, 1)
	stored := w.stored()
	if stored == nil || !knows(t, stored) {
		t.Fatalf("what was learned until %s is gone: %+v", before, stored)
	}
	if owner := metav1.GetControllerOf(stored); owner == nil || owner.UID != "uid-of-web" {
		t.Errorf("its owner is %+v", owner)
	}
}

// gone is a client that finds no histories, as while their kind is installed anew.
type gone struct{ client.Client }

func (g gone) Patch(context.Context, client.Object, client.Patch, ...client.PatchOption) error {
	return apierrors.NewNotFound(schema.GroupResource{Resource: "workloadhistories"}, "web")
}

func (g gone) Create(context.Context, client.Object, ...client.CreateOption) error {
	return apierrors.NewNotFound(schema.GroupResource{Resource: "workloadhistories"}, "")
}

func TestAHistoryIsNotLostWhileItsKindIsGone(t *testing.T) {
	w := newWorld(t, object(t, "web", learningPolicy))
	r := w.controller()
	w.hours(r, 3)
	there := r.histories.Client
	r.histories.Client = gone{there}
	if err := w.client.Delete(t.Context(), w.stored()); err != nil {
		t.Fatal(err)
	}
	w.hours(r, 1)
	if got := condition(w.web(), "HistoryKept"); !strings.HasPrefix(got, "False HistoryUnsaved") || !strings.Contains(got, "writing the WorkloadHistory") {
		t.Errorf("while it is gone HistoryKept is %q", got)
	}
	r.histories.Client = there
	w.hours(r, 1)
	if got := condition(w.web(), "HistoryKept"); got != "missing" {
		t.Errorf("once it is back HistoryKept is %q", got)
	}
	if stored := w.stored(); stored == nil || !knows(t, stored) {
		t.Errorf("what was learned is gone: %+v", stored)
	}
}
