package controller

import (
	"context"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/scale"
)

const learningPolicy = queuePolicy + "learn: {windowWeeks: 4}\n"

// stored returns the WorkloadHistory of web, or nil.
func (w *world) stored() *v1alpha1.WorkloadHistory {
	w.t.Helper()
	var out v1alpha1.WorkloadHistory
	err := w.client.Get(context.Background(), keyOf("web"), &out)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return &out
}

// hours runs the object once a minute.
func (w *world) hours(r *Reconciler, n int) {
	w.t.Helper()
	for range n * 60 {
		w.after(time.Minute)
		w.mustRound(r)
	}
}

// knows tells whether the history that is stored has learned anything.
func knows(t *testing.T, stored *v1alpha1.WorkloadHistory) bool {
	t.Helper()
	h, err := history.Decode(stored.History, history.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	_, known := h.Slots.BoundsAhead(noon.Add(7*24*time.Hour), 0, history.Factors{Min: scale.Parts, Max: scale.Parts})
	return known
}

// TestHistoryIsKept: it is written after a while, belongs to the object, and is
// what the next controller begins with.
func TestHistoryIsKept(t *testing.T) {
	w := newWorld(t, object(t, "web", learningPolicy))
	r := w.controller()
	w.mustRound(r)
	if w.stored() != nil {
		t.Error("it is written in the first round already")
	}
	w.hours(r, 3)
	stored := w.stored()
	if stored == nil || !knows(t, stored) {
		t.Fatalf("after three hours there is %+v", stored)
	}
	if owner := metav1.GetControllerOf(stored); owner == nil || owner.UID != "uid-of-web" {
		t.Errorf("its owner is %+v", owner)
	}
	next := w.controller()
	w.after(time.Minute)
	w.mustRound(next)
	if got := next.histories.of(keyOf("web")).learner.History.Newest(); got.Before(stored.UpdatedAt.Add(-time.Hour)) {
		t.Errorf("the next controller knows nothing after %s", got)
	}
}

// TestHistoryIsWrittenSeldom: however often the object is looked at.
func TestHistoryIsWrittenSeldom(t *testing.T) {
	w := newWorld(t, object(t, "web", learningPolicy))
	r := w.controller()
	versions := map[string]bool{}
	for range 240 {
		w.after(15 * time.Second)
		w.mustRound(r)
		if stored := w.stored(); stored != nil {
			versions[stored.ResourceVersion] = true
		}
	}
	if len(versions) < 2 || len(versions) > 6 {
		t.Errorf("%d writes in an hour, want about one in %s", len(versions), saveEvery)
	}
}

// TestHistoryAtTheEnd: a controller that stops writes what it has learned.
func TestHistoryAtTheEnd(t *testing.T) {
	w := newWorld(t, object(t, "web", learningPolicy))
	r := w.controller()
	w.mustRound(r)
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if err := r.Start(stopped); err != nil || w.stored() == nil {
		t.Errorf("error %v, stored %v", err, w.stored())
	}
}

// TestHistoryOfAnother: what cannot be used, or was learned for an object that
// is gone, is not taken over.
func TestHistoryOfAnother(t *testing.T) {
	other := func(uid string, text []byte) *v1alpha1.WorkloadHistory {
		obj := object(t, "web", learningPolicy)
		obj.UID = types.UID(uid)
		return &v1alpha1.WorkloadHistory{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", OwnerReferences: []metav1.OwnerReference{obj.OwnerReference()}}, History: text,
		}
	}
	future, err := history.New(history.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	pod := scale.Pod{Ready: scale.Ready, Containers: []scale.PodContainer{{Name: "app", Usage: scale.Resources{}.With(scale.CPU, 100)}}}
	future.Observe(scale.Observation{At: noon.Add(24 * time.Hour), Target: scale.Target{SpecReplicas: 1, StatusReplicas: 1}, Pods: []scale.Pod{pod}})
	for name, stored := range map[string]*v1alpha1.WorkloadHistory{
		"damaged":             other("uid-of-web", []byte("tidemark-history and then nothing")),
		"foreign":             other("uid-of-web", []byte("something else")),
		"of a deleted object": other("uid-of-an-older-web", future.Encode()),
		"of a wrong clock":    other("uid-of-web", future.Encode()),
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, object(t, "web", learningPolicy), stored)
			r := w.controller()
			w.mustRound(r)
			if got := r.histories.of(keyOf("web")).learner.History.Newest(); got.After(noon) {
				t.Errorf("it knows of %s", got)
			}
		})
	}
}

// TestHistoryThatCannotBeRead: nothing is decided without it, because what was
// learned may be what keeps the workload up.
func TestHistoryThatCannotBeRead(t *testing.T) {
	w := newWorld(t, object(t, "web", learningPolicy))
	r := w.controller()
	r.histories.Direct = failingReader{w.client}
	w.inQueue(100)
	if _, err := w.round(r); err == nil || len(w.applied) > 0 {
		t.Errorf("error %v, applied %v", err, w.applied)
	}
	if got := condition(w.web(), "AbleToScale"); !strings.HasPrefix(got, "False HistoryUnreadable: reading the WorkloadHistory shop/web: no answer") {
		t.Errorf("AbleToScale is %q", got)
	}
}
