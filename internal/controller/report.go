package controller

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/controller/metrics"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/permit"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/shortfall"
	"github.com/tidemark/tidemark/scale"
)

// report is what one round leaves behind. It begins as the status there is, and
// each way to end a round changes what it knows better.
type report struct {
	obj *v1alpha1.WorkloadAutoscaler
	at  time.Time
	// began is when the look began that ends now.
	began  time.Time
	status v1alpha1.WorkloadAutoscalerStatus
	events []explain.Event

	// obs, decision and memory are those of a round that came that far.
	obs      *scale.Observation
	decision *scale.Decision
	memory   *engine.Memory
	// short is what of the decision is not in force.
	short scale.Shortfall
	// outcome is how an attempt to change something ended; empty without one.
	// counted are the fields that were written of what holds the count, the
	// workload or its HPA; sized are those of pods.
	outcome        metrics.Result
	counted, sized []string
	// scaled is by how many pods the count was changed.
	scaled int32
	// limits are those of the decision's policy.
	limits limit.Rules
	// lost says why the memory could not be read.
	lost string
}

// blocker is why an object is not scaled.
type blocker struct {
	reason  scale.Reason
	message string
}

func newReport(obj *v1alpha1.WorkloadAutoscaler, at time.Time, before scale.Shortfall) *report {
	r := &report{obj: obj, at: at, began: at, status: *obj.Status.DeepCopy(), short: before}
	r.status.ObservedGeneration = obj.Generation
	return r
}

// Invalid ends the round of a spec that cannot be compiled.
func (r *report) Invalid(err error) error {
	r.unable(blocker{scale.InvalidSpec, strings.ReplaceAll(err.Error(), "\n", "; ")})
	return reconcile.TerminalError(fmt.Errorf("compiling the spec: %w", err))
}

// Conflicting ends the round of an object that must not scale its target.
func (r *report) Conflicting(why *permit.Denial, err error) error {
	if err != nil {
		r.unable(blockerOf(err, scale.TargetUnreadable))
		return err
	}
	r.unable(blocker{why.Reason, why.Message})
	return nil
}

// TargetUnreadable ends a round in which the target could not be read. A target that is
// not there is no failure of ours: the next period looks again, and its creation
// wakes us up.
func (r *report) TargetUnreadable(err error) error {
	why := blockerOf(err, scale.TargetUnreadable)
	r.unable(why)
	if why.reason == scale.TargetMissing {
		return nil
	}
	return err
}

// HistoryUnreadable ends a round in which what was learned could not be read: to decide
// without it could scale the workload down.
func (r *report) HistoryUnreadable(err error) error {
	r.unable(blockerOf(err, scale.HistoryUnreadable))
	return err
}

// NoteKeeping notes why a history is not used or not saved, and makes an event of one
// that is refused and that the status does not show yet. The workload is scaled all the
// same.
func (r *report) NoteKeeping(c *explain.Condition) {
	r.noteHistory(explain.HistoryKept, c)
	told := meta.FindStatusCondition(r.obj.Status.Conditions, explain.HistoryKept)
	if c == nil || c.Reason != string(scale.HistoryRefused) || told != nil && told.Reason == c.Reason && told.Message == record.Short(c.Message) {
		return
	}
	r.events = append(r.events, explain.Event{Warning: true, Reason: c.Reason, Message: c.Message})
}

// noteHistory sets a condition of the history. Where there is nothing to say, what was
// said of a fault goes.
func (r *report) noteHistory(kind string, c *explain.Condition) {
	if c != nil {
		r.conditions([]explain.Condition{*c})
		return
	}
	r.status.Conditions = slices.DeleteFunc(r.status.Conditions, func(c metav1.Condition) bool {
		return c.Type == kind && c.Status == metav1.ConditionFalse
	})
}

// blockerOf tells the blockers of a client from all others.
func blockerOf(err error, otherwise scale.Reason) blocker {
	t := blocker{otherwise, err.Error()}
	if explained, ok := errors.AsType[*apply.Error](err); ok {
		t.reason = cmp.Or(reasons[explained.Failure], otherwise)
		return t
	}
	switch {
	case apierrors.IsConflict(err):
		t.reason = scale.Conflict
	case apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err):
		t.reason = scale.Forbidden
	case apierrors.IsNotFound(err) || meta.IsNoMatchError(err):
		t.reason = scale.TargetMissing
	}
	return t
}

// reasons are those of the failures that have one of their own.
var reasons = map[apply.Failure]scale.Reason{
	apply.Conflict: scale.Conflict, apply.Forbidden: scale.Forbidden, apply.NotFound: scale.TargetMissing,
	apply.Quota: scale.Quota, apply.LimitRange: scale.LimitRange,
}

// unable sets the conditions of an object about which nothing was decided, and
// makes an event of it when that is new.
func (r *report) unable(t blocker) {
	r.warnOnce(t)
	r.conditions(explain.Unable(t.reason, t.message))
}

// warnOnce makes an event of a blocker that the status does not show yet.
func (r *report) warnOnce(t blocker) {
	before := meta.FindStatusCondition(r.obj.Status.Conditions, explain.AbleToScale)
	if before == nil || before.Reason != string(t.reason) {
		r.events = append(r.events, explain.Event{Warning: true, Reason: string(t.reason), Message: t.message})
	}
}

// NoteDecision notes what was seen and decided.
func (r *report) NoteDecision(a observe.Result, d scale.Decision, memory engine.Memory) {
	r.obs, r.decision, r.memory = &a.Observation, &d, &memory
	r.status.Replicas, r.status.Selector = a.Observation.Target.StatusReplicas, a.Selector
	r.status.DesiredReplicas = new(d.Want.Replicas)
	r.status.LastDecision = record.ToStatus(d)
	r.status.Paused = explain.PauseWord(d.Pause)
	r.status.LastDecision.At = metav1.NewTime(r.at).Rfc3339Copy()
	conditions := explain.Conditions(d)
	if r.lost != "" {
		conditions = explain.Cautious(d, r.lost)
	}
	for i := range conditions {
		if conditions[i].Type == explain.ScalingActive {
			conditions[i].Message = withProblems(conditions[i].Message, a.Problems)
		}
	}
	r.conditions(conditions)
}

// withProblems adds the problems that a message does not name already.
func withProblems(message string, problems []string) string {
	for _, p := range problems {
		if !strings.Contains(message, p) {
			message += "; " + p
		}
	}
	return message
}

// NoteOutcome notes how the decision was carried out. Past is the memory it was made
// with.
func (r *report) NoteOutcome(out apply.Outcome, past engine.Memory, err error) error {
	r.noteTuned(past)
	if out.Published != nil {
		r.status.PublishedVPA = *out.Published
	}
	for _, c := range out.Changes {
		into := &r.counted
		if c.OfPod() {
			into = &r.sized
		}
		*into = append(*into, fmt.Sprintf("%s from %s to %s", c.Path, c.From, c.To))
	}
	r.short = shortfall.Of(r.look(out))
	if len(out.Changes) == 0 && !r.decision.Want.Equal(r.decision.From) {
		r.nothingHappened(past)
	}
	if err == nil {
		if len(out.Changes) > 0 {
			r.outcome = metrics.Applied
			r.scaled = r.decision.Want.Replicas - r.decision.From.Replicas
		}
		r.fallsShort()
		return nil
	}
	why := blockerOf(err, scale.ApplyFailed)
	r.outcome = metrics.Failed
	if why.reason == scale.Conflict {
		r.outcome = metrics.Conflicted
	} else {
		r.warnOnce(why)
	}
	r.conditions(explain.Undone(*r.decision, why.reason, why.message))
	return err
}

// nothingHappened takes back that the decision changed something: a size that
// every look decides anew, and nobody carries out, is no event. A workload that
// was looked at is known from then on, so that a change whose answer was lost is seen.
func (r *report) nothingHappened(past engine.Memory) {
	undone := unapplied(past, *r.memory)
	if !undone.Seen {
		undone.Seen, undone.Replicas = true, r.decision.From.Replicas
	}
	r.memory, r.decision.Countdown = &undone, r.limits.Countdown(undone.LastEventAt, r.at)
}

// conditions sets the status' conditions. A condition that keeps its state keeps
// its time.
func (r *report) conditions(all []explain.Condition) {
	for _, c := range all {
		state := metav1.ConditionFalse
		if c.Status {
			state = metav1.ConditionTrue
		}
		meta.SetStatusCondition(&r.status.Conditions, metav1.Condition{
			Type: c.Type, Status: state, Reason: c.Reason, Message: record.Short(c.Message),
			ObservedGeneration: r.obj.Generation, LastTransitionTime: metav1.NewTime(r.at).Rfc3339Copy(),
		})
	}
}

// intended are the reasons not to scale that somebody has asked for.
var intended = []scale.Reason{scale.ModeOff, scale.Recommend, scale.Paused, scale.NamespaceExcluded}

// able tells whether the object scales, or does not because that is meant.
func (r *report) able() bool {
	c := meta.FindStatusCondition(r.status.Conditions, explain.AbleToScale)
	return c != nil && (c.Status == metav1.ConditionTrue || slices.Contains(intended, scale.Reason(c.Reason)))
}

// noData are the reasons not to be active that are a lack of data.
var noData = []scale.Reason{scale.NoData, scale.PartialData, scale.Fallback, scale.FormulaMissing}

// active tells whether there is data to go by. Other reasons not to be active
// are no lack of it.
func (r *report) active() bool {
	c := meta.FindStatusCondition(r.status.Conditions, explain.ScalingActive)
	return c != nil && (c.Status == metav1.ConditionTrue || !slices.Contains(noData, scale.Reason(c.Reason)))
}
