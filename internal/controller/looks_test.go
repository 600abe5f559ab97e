package controller

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

// underWay is an observer whose answers come with the third pass.
type underWay struct {
	*world
	left  int
	looks []*snapshot.Look
}

func (u *underWay) Observe(ctx context.Context, req observe.Request) (observe.Result, error) {
	u.looks = append(u.looks, req.Look)
	if u.left--; u.left >= 0 {
		return observe.Result{}, &snapshot.UnderWay{Wait: time.Second}
	}
	return u.world.Observe(ctx, req)
}

// TestALookWhoseAnswersAreUnderWay: the worker goes on, nothing is decided or
// written, and the same look goes on later. It counts as late by all of that.
func TestALookWhoseAnswersAreUnderWay(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r, u := w.controller(), &underWay{world: w, left: 2}
	r.Observer = u
	w.inQueue(600)
	for range 2 {
		if got := w.mustRound(r); got.RequeueAfter != time.Second || w.observed != 0 || w.statusWrites != 0 {
			t.Fatalf("got %v after %d observations and %d writes, want to be called again", got, w.observed, w.statusWrites)
		}
		w.after(time.Second)
	}
	if got := r.Overdue(); got != 2*time.Second {
		t.Errorf("a look that began 2 s ago is overdue by %s", got)
	}
	w.mustRound(r)
	if w.replicas != 6 || u.looks[0] != u.looks[1] || u.looks[0] != u.looks[2] || !u.looks[2].Began.Equal(noon) {
		t.Errorf("%d pods; the looks are %v", w.replicas, u.looks)
	}
	if got := r.Overdue(); got != 0 {
		t.Errorf("after the look it is overdue by %s", got)
	}
	w.after(time.Hour)
	if got := r.Overdue(); got < 50*time.Minute {
		t.Errorf("an hour later it is overdue by %s", got)
	}
	w.mustRound(r)
	if u.looks[3] == u.looks[2] {
		t.Error("the next round goes on with a look that is over")
	}
}

// TestAnotherSpecIsAnotherLook: what was asked for the old one is left.
func TestAnotherSpecIsAnotherLook(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r, u := w.controller(), &underWay{world: w, left: 2}
	r.Observer = u
	w.mustRound(r)
	w.edit(func(o *v1alpha1.WorkloadAutoscaler) { o.Spec.Replicas.Max = new(int32(9)) })
	w.mustRound(r)
	if u.looks[0] == u.looks[1] {
		t.Error("it goes on with the look at the old spec")
	}
}

// TestAnswersWakeTheirLook: the object is queued.
func TestAnswersWakeTheirLook(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	got := woken(t, func(q queue) {
		r.looks.into(q)
		r.looks.begin(w.web(), noon, time.Minute).Wake()
	})
	if !slices.Equal(got, []string{"web"}) {
		t.Errorf("queued %v", got)
	}
}

// TestAlive: a controller is healthy while its looks end, and not when one hangs
// far beyond its deadlines.
func TestAlive(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	if err := r.Alive(nil); err != nil {
		t.Errorf("before the first look: %v", err)
	}
	r.looks.begin(w.web(), noon, time.Minute)
	w.after(hangs)
	if err := r.Alive(nil); err != nil {
		t.Errorf("after %s: %v", hangs, err)
	}
	w.after(time.Second)
	if err := r.Alive(nil); err == nil || !strings.Contains(err.Error(), "the look at shop/web has not ended for 5m1s") {
		t.Errorf("after more than %s: %v", hangs, err)
	}
	r.looks.end(client.ObjectKey{Namespace: "shop", Name: "web"})
	if err := r.Alive(nil); err != nil {
		t.Errorf("after its end: %v", err)
	}
}

// TestTheAdministratorsPeriod: an object that asks to be looked at too often is
// looked at as often as it may be, and is told.
func TestTheAdministratorsPeriod(t *testing.T) {
	w := newWorld(t, object(t, "web", strings.Replace(queuePolicy, "behavior: {", "behavior: {syncPeriodSeconds: 1, ", 1)))
	w.admin.MinimumSyncPeriodSeconds = new(int32(20))
	r := w.controller()
	if got := w.mustRound(r).RequeueAfter; got < 10*time.Second {
		t.Errorf("the next round is after %s, want about 20 s", got)
	}
	w.after(30 * time.Second)
	if got := w.mustRound(r).RequeueAfter; got < 10*time.Second || got > 30*time.Second {
		t.Errorf("the next round is after %s, want about 20 s", got)
	}
	if got := condition(w.web(), "ScalingActive"); !strings.Contains(got, "behavior.syncPeriodSeconds is 1, and the administrator allows no less than 20") {
		t.Errorf("ScalingActive is %q", got)
	}
}
