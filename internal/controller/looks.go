package controller

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

const (
	// lookTime bounds one pass of a look, with all that it reads and writes.
	lookTime = time.Minute
	// hangs is when a look that is not over counts as one that never will be.
	hangs = 5 * lookTime
)

// looks are those that have begun and are not over: a worker is with them, or
// answers that they asked for are under way.
type looks struct {
	mu  sync.Mutex
	all map[client.ObjectKey]unfinished
	// wake queues an object.
	wake func(client.ObjectKey)
}

type unfinished struct {
	uid        types.UID
	generation int64
	*snapshot.Look
}

// begin returns the look at an object: one that is not over goes on. One at
// another spec asks for other things, and begins anew.
func (l *looks) begin(obj *v1alpha1.WorkloadAutoscaler, at time.Time, period time.Duration) *snapshot.Look {
	key := client.ObjectKeyFromObject(obj)
	l.mu.Lock()
	defer l.mu.Unlock()
	if one, ok := l.all[key]; ok && one.uid == obj.UID && one.generation == obj.Generation {
		return one.Look
	}
	if l.all == nil {
		l.all = map[client.ObjectKey]unfinished{}
	}
	look := &snapshot.Look{Began: at, Period: period, Wake: func() { l.queue(key) }}
	l.all[key] = unfinished{obj.UID, obj.Generation, look}
	return look
}

func (l *looks) queue(key client.ObjectKey) {
	l.mu.Lock()
	wake := l.wake
	l.mu.Unlock()
	if wake != nil {
		wake(key)
	}
}

// into says where to queue the objects of looks that can go on.
func (l *looks) into(q queue) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wake = func(key client.ObjectKey) { q.Add(reconcile.Request{NamespacedName: key}) }
}

func (l *looks) end(key client.ObjectKey) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.all, key)
}

// under tells whether the look at an object is not over.
func (l *looks) under(key client.ObjectKey) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, is := l.all[key]
	return is
}

// oldest returns whose look began first of those that are not over, and when.
func (l *looks) oldest() (key client.ObjectKey, began time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for k, one := range l.all {
		if began.IsZero() || one.Began.Before(began) {
			key, began = k, one.Began
		}
	}
	return key, began
}

// Alive is an error when a look hangs far beyond its deadlines: then nothing but
// a restart helps.
func (r *Reconciler) Alive(*http.Request) error {
	key, began := r.looks.oldest()
	if age := r.Clock.Since(began); !began.IsZero() && age > hangs {
		return fmt.Errorf("the look at %s has not ended for %s", key, age.Round(time.Second))
	}
	return nil
}

// Overdue is by how much the look that is waited for longest is late; zero while
// every look comes when it is due. One that has begun is not done. One that failed is:
// its object's condition says why, and is no reason to wake somebody for everyone else's.
func (r *Reconciler) Overdue() time.Duration {
	now, since := r.Clock.Now(), time.Time{}
	earlier := func(at time.Time) {
		if since.IsZero() || at.Before(since) {
			since = at
		}
	}
	if _, began := r.looks.oldest(); !began.IsZero() {
		earlier(began)
	}
	if due := r.lastRuns.earliestDue(); !due.IsZero() {
		earlier(due)
	}
	if since.IsZero() {
		return 0
	}
	return max(0, now.Sub(since))
}
