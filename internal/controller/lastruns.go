package controller

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/controller/metrics"
	"github.com/tidemark/tidemark/internal/podsum"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// lastRun is the last look at an object. It is never changed once it is stored.
type lastRun struct {
	uid        types.UID
	generation int64
	// pause is the text of the annotation that pauses.
	pause string
	// memory is the newest there is. The status has the same, apart from
	// moments that moved on while nothing else did.
	memory   engine.Memory
	decision *scale.Decision
	able     bool
	active   bool
	// short is what of the decision is not in force. Up and down are the pods
	// that were added and removed in all.
	short    scale.Shortfall
	up, down int64
	// held are the reasons that kept the workload from another size so far.
	held []scale.Reason
	// room is that of the pods' nodes; nil while it is not known.
	room *scale.Room
	// pods is what the pods do together.
	pods podsum.Sum
	// recommends is set while nothing is changed because that is meant.
	recommends bool
	// due is when the next round is to be; zero after one that failed.
	due time.Time
	// period is how often the object is looked at.
	period time.Duration
	// unwritten is the status that could not be written so often; nil when it was.
	unwritten *v1alpha1.WorkloadAutoscalerStatus
	attempts  int
}

// lastRuns keeps the last round of each object. All of it can be lost: a restart
// begins with what the statuses say.
type lastRuns struct {
	mu  sync.Mutex
	all map[client.ObjectKey]*lastRun
	// woken are the objects that something happened to since their last look began,
	// also while that is not over.
	woken map[client.ObjectKey]bool
}

func (r *lastRuns) of(obj *v1alpha1.WorkloadAutoscaler) (lastRun, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	one, ok := r.all[client.ObjectKeyFromObject(obj)]
	if !ok {
		return lastRun{}, false
	}
	return *one, one.uid == obj.UID
}

func (r *lastRuns) keep(key client.ObjectKey, one lastRun) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = map[client.ObjectKey]*lastRun{}
	}
	r.all[key] = &one
}

func (r *lastRuns) forget(key client.ObjectKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, key)
	delete(r.woken, key)
}

// begin notes that an object is looked at: what it was woken for is seen.
func (r *lastRuns) begin(key client.ObjectKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.woken, key)
}

// isWoken tells whether something happened to an object since it was looked at.
func (r *lastRuns) isWoken(key client.ObjectKey) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.woken[key]
}

// rest returns how long the last decision still stands. A decision is not made
// again early because something woke us up: limits that hold for one decision
// count on the sync period between two. A new spec and a disturbed target do not
// wait.
func (r *lastRuns) rest(obj *v1alpha1.WorkloadAutoscaler, now time.Time) time.Duration {
	last, ok := r.of(obj)
	if !ok || r.isWoken(client.ObjectKeyFromObject(obj)) || last.generation != obj.Generation || last.pause != pauseOf(obj) {
		return 0
	}
	return max(0, last.due.Sub(now))
}

// disturb notes that a target has another count than was decided, and tells
// whether it has: what we did ourselves disturbs nobody.
func (r *lastRuns) disturb(key client.ObjectKey, replicas int32) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	last, ok := r.all[key]
	if !ok || last.decision != nil && last.decision.Want.Replicas == replicas {
		return false
	}
	disturbed := *last
	disturbed.due = time.Time{} // while we are changing it ourselves this does not last: what was decided is kept after that
	r.all[key] = &disturbed
	return true
}

// period is that of an object that was looked at, otherwise the default.
func (r *lastRuns) period(key client.ObjectKey) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if one, ok := r.all[key]; ok && one.period > 0 {
		return one.period
	}
	return policy.DefaultSyncPeriod
}

// earliestDue is when the round was due that is waited for longest.
func (r *lastRuns) earliestDue() (due time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range r.all {
		if !one.due.IsZero() && (due.IsZero() || one.due.Before(due)) {
			due = one.due
		}
	}
	return due
}

// wake makes the next round of an object due at once.
func (r *lastRuns) wake(key client.ObjectKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.woken == nil {
		r.woken = map[client.ObjectKey]bool{}
	}
	r.woken[key] = true
}

// Workloads returns every object, for the series of metrics.
func (r *Reconciler) Workloads() []metrics.Workload {
	r.lastRuns.mu.Lock()
	defer r.lastRuns.mu.Unlock()
	all := make([]metrics.Workload, 0, len(r.lastRuns.all))
	for key, one := range r.lastRuns.all {
		all = append(all, metrics.Workload{
			Namespace: key.Namespace, Name: key.Name, Decision: one.decision, Able: one.able, Active: one.active,
			Short: one.short, Held: one.held, Up: one.up, Down: one.down, DryRun: one.recommends, Room: one.room, Pods: one.pods,
		})
	}
	return all
}
