package controller

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/controller/metrics"
	"github.com/tidemark/tidemark/internal/podsum"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scale"
)

// publishTime is how long the end of a round may take. It is granted even while
// the controller stops: what was done to a workload must not be forgotten.
const publishTime = 10 * time.Second

// publish ends a round: its numbers, its events, its status, and what the next
// round needs. It returns when the next is to be, and the round's error. A status
// that could not be written is no error of the round: it is written again soon,
// and the next round is when it is due.
func (r *Reconciler) publish(ctx context.Context, report *report, after ctrl.Result, failed error) (ctrl.Result, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), publishTime)
	defer cancel()
	last, _ := r.lastRuns.of(report.obj)
	r.count(report, last)
	r.tell(report, last)
	if report.outcome == metrics.Applied {
		log.FromContext(ctx).Info("Changed the workload", "decision", explain.Headline(*report.decision), "changes", slices.Concat(report.counted, report.sized))
	}
	next := r.roundOf(report, last)
	if failed == nil && report.decision != nil {
		next.due = report.at.Add(r.next(report))
	}
	status, err := statusOf(report)
	if err == nil && worthWriting(report.obj.Status, status) {
		if err = r.write(ctx, report.obj, status); err != nil {
			next.unwritten, next.attempts = &status, last.attempts+1
			after.RequeueAfter = r.writeLater(ctx, next, after.RequeueAfter, err)
			if errors.Is(failed, reconcile.TerminalError(nil)) {
				failed = nil // or nothing would be tried again
			}
		}
	}
	r.lastRuns.keep(client.ObjectKeyFromObject(report.obj), next)
	r.histories.save(ctx, report.obj)
	if failed != nil {
		return ctrl.Result{}, failed // the back-off says when
	}
	return after, nil
}

// writeLater returns when to write a status again: before the next round, which
// is after so long, if there is one.
func (r *Reconciler) writeLater(ctx context.Context, last lastRun, round time.Duration, err error) time.Duration {
	wait := retryAfter(last.attempts, last.period)
	if round > 0 {
		wait = min(wait, round)
	}
	log.FromContext(ctx).Error(err, "The status is written again later", "after", wait)
	return wait
}

// publishAgain writes the status of the last round, if that failed, and returns
// when there is more to do: the next round, which is after so long, or writing.
func (r *Reconciler) publishAgain(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler, round time.Duration) time.Duration {
	last, _ := r.lastRuns.of(obj)
	if last.unwritten == nil {
		return round
	}
	if err := r.write(ctx, obj, *last.unwritten); err != nil {
		last.attempts++
		r.lastRuns.keep(client.ObjectKeyFromObject(obj), last)
		return r.writeLater(ctx, last, round, err)
	}
	last.unwritten, last.attempts = nil, 0
	r.lastRuns.keep(client.ObjectKeyFromObject(obj), last)
	return round
}

// write replaces the status of the object as it was read. Where that has
// changed meanwhile, the newest is read and given the status again, because the
// decision in it was carried out already. Not so where someone else has written
// the status: then theirs stays.
func (r *Reconciler) write(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler, status v1alpha1.WorkloadAutoscalerStatus) (err error) {
	fresh := obj.DeepCopy()
	for range 3 {
		fresh.Status = status
		if err = r.Client.Status().Update(ctx, fresh); !apierrors.IsConflict(err) {
			break
		}
		if err = r.Direct.Get(ctx, client.ObjectKeyFromObject(obj), fresh); err != nil || fresh.UID != obj.UID {
			break
		}
		if r.statuses.foreign(fresh) {
			log.FromContext(ctx).Info("Another controller has written the status since, and it stays")
			r.Metrics.WroteStatus(errOvertaken)
			return nil
		}
	}
	if err == nil {
		r.statuses.note(fresh)
	}
	if err = client.IgnoreNotFound(err); err != nil {
		err = fmt.Errorf("writing the status: %w", err)
	}
	r.Metrics.WroteStatus(err)
	return err
}

var errOvertaken = errors.New("another controller has written the status")

// roundOf is what the next round has to know of this one.
func (r *Reconciler) roundOf(report *report, last lastRun) lastRun {
	next := lastRun{
		uid: report.obj.UID, generation: report.obj.Generation, pause: pauseOf(report.obj), memory: last.memory, decision: last.decision,
		able: report.able(), active: report.active(), short: report.short, up: last.up, down: last.down, held: last.held,
		recommends: r.Permits.DryRun || report.obj.Spec.Mode == v1alpha1.ModeRecommend, period: r.period(report.obj),
	}
	if report.decision != nil {
		next.memory, next.decision, next.room = *report.memory, report.decision, report.obs.Room
		next.pods = podsum.Of(report.obs.Pods)
		next.held = withNew(last.held, explain.Restricting(report.decision))
	}
	if change := int64(report.scaled); change > 0 {
		next.up += change
	} else {
		next.down -= change
	}
	return next
}

// withNew returns the reasons there were and those that are new. What there was is
// shared with others, and stays as it is.
func withNew(before, now []scale.Reason) []scale.Reason {
	for _, r := range now {
		if !slices.Contains(before, r) {
			before = append(slices.Clip(before), r)
		}
	}
	return before
}

// count keeps the controller's own numbers.
func (r *Reconciler) count(report *report, last lastRun) {
	late := time.Duration(0)
	if !last.due.IsZero() {
		late = max(report.at.Sub(last.due), 0) // one that was woken comes early
	}
	r.Metrics.ObserveLook(r.Clock.Since(report.began), late)
	if report.decision != nil {
		r.Metrics.CountDecision(*report.decision)
	}
	if report.outcome != "" {
		r.Metrics.CountChange(report.outcome)
	}
}

// tell records what is worth an event. After a restart, what the status shows
// already is no news.
func (r *Reconciler) tell(report *report, last lastRun) {
	all := report.events
	if d := report.decision; d != nil {
		before := last.decision
		if before == nil && !wasActive(report.obj) {
			before = d
		}
		for _, e := range explain.Events(*d, before) {
			if e.Warning || report.outcome == metrics.Applied {
				all = append(all, e)
			}
		}
		all = append(all, report.adjusted()...)
	}
	for _, e := range all {
		kind := corev1.EventTypeNormal
		if e.Warning {
			kind = corev1.EventTypeWarning
		}
		note := record.Short(e.Message)
		r.Events.Eventf(report.obj, nil, kind, e.Reason, actionOf(note), "%s", note)
	}
}

// actionOf names the action of an event. Events that differ in their notes alone
// are counted as one, with the note of the first: the name keeps them apart.
func actionOf(note string) string {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(note)) // never fails
	return fmt.Sprintf("Scaling-%08x", sum.Sum32())
}

// wasActive tells what the status says of the condition ScalingActive. One that
// says nothing yet has nothing to be compared with.
func wasActive(obj *v1alpha1.WorkloadAutoscaler) bool {
	c := meta.FindStatusCondition(obj.Status.Conditions, explain.ScalingActive)
	return c == nil || c.Status == "True"
}
