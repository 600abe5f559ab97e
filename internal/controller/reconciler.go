package controller

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/controller/metrics"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/internal/permit"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/shard"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/policy"
)

// Appliers chooses the way to act for an object.
type Appliers interface {
	For(obj *v1alpha1.WorkloadAutoscaler) apply.Applier
}

// Config is what a Reconciler works with.
type Config struct {
	// Client reads from the cache and writes to the API server. Direct reads
	// from the API server: what is read once is not worth a cache.
	Client client.Client
	Direct client.Reader

	Observer observe.Observer
	Appliers Appliers
	// Returner gives HPAs back that are no longer tuned; nil leaves them as they
	// are.
	Returner Returner
	// Boosts takes start-up boosts back; nil leaves pods as they are.
	Boosts Boosts
	// Backfiller fills a history that is new; nil leaves it empty.
	Backfiller Backfiller

	// Tuning compares settings at night.
	Tuning Tuning

	// Permits knows who may act, and the administrator's settings. A dry run
	// treats every object as if its mode were Recommend.
	Permits *permit.Checker
	Clock   clock.PassiveClock
	Events  events.EventRecorder
	// Metrics may not be nil.
	Metrics *metrics.Process
	Shard   shard.Shard
	// Neighbors, where it is not nil, knows the objects that a controller with another
	// number of shards still works on.
	Neighbors *Neighbors
	// Recorder, where it is not nil, is told every decision with all it was
	// made from.
	Recorder Recorder
}

// Reconciler looks at one object at a time. It may be called for different
// objects at once, but not twice at once for the same.
type Reconciler struct {
	Config
	lastRuns  lastRuns
	statuses  statuses
	looks     looks
	histories *histories
	boosts    *unbooster
}

// New returns a Reconciler that has seen nothing yet.
func New(c Config) *Reconciler {
	return &Reconciler{Config: c, histories: newHistories(c), boosts: &unbooster{Config: c}}
}

// Reconcile makes one round for one object.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (next ctrl.Result, err error) {
	at := r.Clock.Now()
	if r.left(req.NamespacedName) {
		return ctrl.Result{RequeueAfter: leaveFor}, nil
	}
	obj, err := r.fetch(ctx, req) // 1. fetch; nil when gone, or another shard's
	if obj == nil || err != nil {
		return ctrl.Result{}, err
	}
	if wait := r.lastRuns.rest(obj, at); wait > 0 && !r.looks.under(req.NamespacedName) { // woken too early: only an unwritten status is due
		return ctrl.Result{RequeueAfter: r.publishAgain(ctx, obj, wait)}, nil
	}
	r.lastRuns.begin(req.NamespacedName)
	last, _ := r.lastRuns.of(obj)
	report := newReport(obj, at, last.short)
	look := r.looks.begin(obj, at, r.period(obj)) // or go on with one whose answers were under way
	report.began = look.Began
	defer func() {
		if under, is := errors.AsType[*snapshot.UnderWay](err); is {
			next, err = ctrl.Result{RequeueAfter: under.Wait}, nil // no worker waits: it is called again
			return
		}
		r.looks.end(req.NamespacedName)
		next, err = r.publish(ctx, report, next, err) // 8. publish: the status write of the round
	}()

	pol, err := r.compile(obj) // 2. compile
	if err != nil {
		return ctrl.Result{}, report.Invalid(err) // terminal: only a change of the spec helps
	}
	if why, err := r.Permits.Check(ctx, obj); err != nil || !why.LetsDecide() { // 3. permit: nobody else scales it
		return ctrl.Result{RequeueAfter: r.spread(obj, pol.Sync)}, report.Conflicting(why, err)
	}
	request := observe.Request{Object: obj, Policy: pol, At: at, Look: look}
	result, err := r.Observer.Observe(ctx, request) // 4. observe; gaps are values, not errors
	if errors.As(err, new(*snapshot.UnderWay)) {
		return ctrl.Result{}, err
	}
	if err != nil {
		return ctrl.Result{RequeueAfter: r.spread(obj, pol.Sync)}, report.TargetUnreadable(err)
	}
	result.Problems = append(result.Problems, tooShort(obj, pol.Sync)...)
	if err := r.offerScale(ctx, obj, result.Observation.Target.SpecReplicas); err != nil {
		result.Problems = append(result.Problems, err.Error())
	}
	past := r.recall(report, pol, &result.Observation)
	known, err := r.histories.learn(ctx, request, past, &result.Observation) // 5. learn
	if err != nil {
		return ctrl.Result{}, report.HistoryUnreadable(err)
	}
	report.limits = pol.Limit
	report.NoteKeeping(known.notKept)
	report.NoteFilling(known.filling)
	dec, memory := engine.Decide(pol, result.Observation, past) // 6. decide
	r.record(ctx, request, result.Observation, record.Answer{Decision: dec, Memory: memory}, past)
	report.NoteDecision(result, dec, memory)
	r.announce(ctx, report)                                            // new pods are made to the size in the status
	out, err := r.Appliers.For(obj).Apply(ctx, targetref.Of(obj), dec) // 7. apply; a dry run is another Applier
	return ctrl.Result{RequeueAfter: r.next(report)}, report.NoteOutcome(out, past, err)
}

// fetch returns the object, or nil when there is nothing to do for it. It is
// shared with the cache and must not be changed: a report has its own status,
// and a write its own copy.
func (r *Reconciler) fetch(ctx context.Context, req ctrl.Request) (*v1alpha1.WorkloadAutoscaler, error) {
	if !owns(r.Shard, req.NamespacedName) {
		return nil, nil
	}
	obj, shared := &v1alpha1.WorkloadAutoscaler{}, true
	err := r.Client.Get(ctx, req.NamespacedName, obj, &client.GetOptions{UnsafeDisableDeepCopy: &shared})
	switch {
	case apierrors.IsNotFound(err):
		r.forget(req.NamespacedName)
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading the object: %w", err)
	case !obj.DeletionTimestamp.IsZero():
		// Its workload stays as it is.
		r.forget(req.NamespacedName)
		return nil, nil
	}
	r.begin(obj)
	return obj, nil
}

// left tells whether an object of ours is left to a neighbor, for now.
func (r *Reconciler) left(key client.ObjectKey) bool {
	if r.Neighbors == nil || !owns(r.Shard, key) || !r.Neighbors.Have(key) {
		return false
	}
	r.forget(key)
	return true
}

// compile turns the spec into a policy. A dry run is the mode Recommend for
// everyone, so that it says what it would do and remembers that it did not.
func (r *Reconciler) compile(obj *v1alpha1.WorkloadAutoscaler) (engine.Policy, error) {
	pol, err := policy.Compile(obj.Spec, r.Permits.Admin())
	pol = policy.Annotated(pol, obj.Annotations)
	if err == nil && r.Permits.DryRun && pol.Limit.Mode == limit.Auto {
		pol.Limit.Mode = limit.Recommend
	}
	return pol, err
}

// forget drops everything that is kept of an object in this process.
func (r *Reconciler) forget(key client.ObjectKey) {
	r.lastRuns.forget(key)
	r.statuses.forget(key)
	r.looks.end(key)
	r.histories.forget(key)
}

// next is when to look again. A wait that ends before the sync period is kept
// exactly; otherwise the object has its own moment within the period.
func (r *Reconciler) next(report *report) time.Duration {
	return r.spread(report.obj, report.decision.RecheckAfter)
}
