package controller

import (
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
	"github.com/tidemark/tidemark/apply"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/metrics"
	"github.com/tidemark/tidemark/observe"
	"github.com/tidemark/tidemark/record"
	"github.com/tidemark/tidemark/scale"
)

// report is what one round leaves behind. It begins as the status there is, and
// each way to end a round changes what it knows better.
type report struct {
	obj    *v1alpha1.WorkloadAutoscaler
	at     time.Time
	status v1alpha1.WorkloadAutoscalerStatus
	events []explain.Event

	// decision and memory are those of a round that came that far.
	decision *scale.Decision
	memory   *engine.Memory
	// outcome is how an attempt to change something ended; empty without one.
	// changes are the fields that were written.
	outcome metrics.Result
	changes []string
	// lost says why the memory could not be read.
	lost string
}

// trouble is why an object is not scaled.
type trouble struct {
	reason  scale.Reason
	message string
}

func newReport(obj *v1alpha1.WorkloadAutoscaler, at time.Time) *report {
	r := &report{obj: obj, at: at, status: *obj.Status.DeepCopy()}
	r.status.ObservedGeneration = obj.Generation
	return r
}

// Invalid ends the round of a spec that cannot be compiled.
func (r *report) Invalid(err error) error {
	r.unable(trouble{scale.InvalidSpec, strings.ReplaceAll(err.Error(), "\n", "; ")})
	return reconcile.TerminalError(fmt.Errorf("compiling the spec: %w", err))
}

// Contested ends the round of an object that must not scale its target.
func (r *report) Contested(why *trouble, err error) error {
	if err != nil {
		r.unable(troubleOf(err, scale.TargetUnreadable))
		return err
	}
	r.unable(*why)
	return nil
}

// Blind ends a round in which the target could not be read. A target that is
// not there is no failure of ours: the next period looks again, and its creation
// wakes us up.
func (r *report) Blind(err error) error {
	why := troubleOf(err, scale.TargetUnreadable)
	r.unable(why)
	if why.reason == scale.TargetMissing {
		return nil
	}
	return err
}

// Forgetful ends a round in which what was learned could not be read: to decide
// without it could scale the workload down.
func (r *report) Forgetful(err error) error {
	r.unable(troubleOf(err, scale.HistoryUnreadable))
	return err
}

// troubleOf tells the troubles of a client from all others.
func troubleOf(err error, otherwise scale.Reason) trouble {
	t := trouble{otherwise, err.Error()}
	switch {
	case errors.Is(err, apply.Conflict) || apierrors.IsConflict(err):
		t.reason = scale.Conflict
	case errors.Is(err, apply.Forbidden) || apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err):
		t.reason = scale.Forbidden
	case errors.Is(err, apply.NotFound) || apierrors.IsNotFound(err) || meta.IsNoMatchError(err):
		t.reason = scale.TargetMissing
	}
	return t
}

// unable sets the conditions of an object about which nothing was decided, and
// makes an event of it when that is new.
func (r *report) unable(t trouble) {
	r.warnOnce(t)
	r.conditions(explain.Unable(t.reason, t.message))
}

// warnOnce makes an event of a trouble that the status does not show yet.
func (r *report) warnOnce(t trouble) {
	before := meta.FindStatusCondition(r.obj.Status.Conditions, explain.AbleToScale)
	if before == nil || before.Reason != string(t.reason) {
		r.events = append(r.events, explain.Event{Warning: true, Reason: string(t.reason), Message: t.message})
	}
}

// Decided notes what was seen and decided.
func (r *report) Decided(a observe.Answer, d scale.Decision, memory engine.Memory) {
	r.decision, r.memory = &d, &memory
	r.status.Replicas, r.status.Selector = a.Seen.Target.StatusReplicas, a.Selector
	desired := d.Want.Replicas
	r.status.DesiredReplicas = &desired
	r.status.LastDecision = record.ToStatus(d)
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

// Acted notes how the decision was carried out. Past is the memory it was made
// with.
func (r *report) Acted(out apply.Outcome, past engine.Memory, err error) error {
	for _, c := range out.Changes {
		r.changes = append(r.changes, fmt.Sprintf("%s from %s to %s", c.Path, c.From, c.To))
	}
	if err == nil {
		if len(out.Changes) > 0 {
			r.outcome = metrics.Applied
		}
		r.waits(out.Waiting)
		return nil
	}
	why := troubleOf(err, scale.ApplyFailed)
	r.outcome = metrics.Failed
	if why.reason == scale.Conflict {
		r.outcome = metrics.Conflicted
	} else {
		r.warnOnce(why)
	}
	if len(out.Changes) == 0 {
		undone := unapplied(past, *r.memory)
		r.memory = &undone
	}
	r.conditions(explain.Undone(*r.decision, why.reason, why.message))
	return err
}

// waits notes what could not be done yet, and makes an event of each reason for
// it that the status does not show. A lost memory is told first.
func (r *report) waits(all []apply.Wait) {
	if len(all) == 0 || r.lost != "" {
		return
	}
	told := ""
	if before := meta.FindStatusCondition(r.obj.Status.Conditions, explain.AbleToScale); before != nil && before.Reason == string(scale.Waiting) {
		told = before.Message
	}
	sentences := make([]string, len(all))
	for i, wait := range all {
		sentences[i] = wait.String()
		if !strings.Contains(told, wait.Why) && !record.IsShort(told) {
			r.events = append(r.events, explain.Event{Reason: string(scale.Waiting), Message: wait.String()})
		}
	}
	r.conditions([]explain.Condition{explain.Incomplete(*r.decision, strings.Join(sentences, "; "))})
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

// meant are the reasons not to scale that somebody has asked for.
var meant = []scale.Reason{scale.ModeOff, scale.Recommend, scale.Paused, scale.NamespaceExcluded}

// able tells whether the object scales, or does not because that is meant.
func (r *report) able() bool {
	c := meta.FindStatusCondition(r.status.Conditions, explain.AbleToScale)
	return c != nil && (c.Status == metav1.ConditionTrue || slices.Contains(meant, scale.Reason(c.Reason)))
}

// noData are the reasons not to be active that are a lack of data.
var noData = []scale.Reason{scale.NoData, scale.PartialData}

// active tells whether there is data to go by. Other reasons not to be active
// are no lack of it.
func (r *report) active() bool {
	c := meta.FindStatusCondition(r.status.Conditions, explain.ScalingActive)
	return c != nil && (c.Status == metav1.ConditionTrue || !slices.Contains(noData, scale.Reason(c.Reason)))
}
