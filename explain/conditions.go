package explain

import (
	"fmt"
	"slices"

	"github.com/tidemark/tidemark/scale"
)

// Condition is the value of a status condition, without its times.
type Condition struct {
	Type    string
	Status  bool
	Reason  string
	Message string
}

// The condition types, as in autoscaling/v2.
const (
	AbleToScale    = "AbleToScale"
	ScalingActive  = "ScalingActive"
	ScalingLimited = "ScalingLimited"
)

// HistoryFilled is the condition type of an object whose history was new: whether
// it knows the past from before.
const HistoryFilled = "HistoryFilled"

// HistoryKept is the condition type of an object whose history is not used, or not
// saved. It is there while that is so.
const HistoryKept = "HistoryKept"

// NotKept returns the condition of a history that is there and refused, or that could
// not be saved; nil where neither is.
func NotKept(refused, unsaved string) *Condition {
	switch {
	case refused != "":
		return &Condition{HistoryKept, false, string(scale.HistoryRefused), refused}
	case unsaved != "":
		return &Condition{HistoryKept, false, string(scale.HistoryUnsaved), "what was learned is not saved, and it is tried again: " + unsaved}
	}
	return nil
}

// Filling returns the condition of a history: how far the past was read, in
// pieces, and what went wrong, if anything did.
func Filling(read, of int, failure string) Condition {
	so := fmt.Sprintf("%d of %d pieces of the past were read", read, of)
	switch {
	case failure != "":
		return Condition{HistoryFilled, false, string(scale.BackfillFailed), so + ", and the next is tried again: " + failure}
	case read < of:
		return Condition{HistoryFilled, false, string(scale.Backfilling), so}
	}
	return Condition{HistoryFilled, true, string(scale.Backfilled), "the past was read"}
}

// Conditions returns what a decision says of the three conditions: whether a
// change may be applied, whether there was something to go by, and whether
// the desired size was held back.
func Conditions(d scale.Decision) []Condition {
	return []Condition{ableToScale(d), scalingActive(d), scalingLimited(d, true)}
}

// Unable returns the conditions of an object about which nothing was decided:
// it cannot scale, there was nothing to go by, and so nothing was held back.
func Unable(reason scale.Reason, message string) []Condition {
	return []Condition{
		{AbleToScale, false, string(reason), message},
		{ScalingActive, false, string(reason), words[reason]},
		{ScalingLimited, false, string(reason), words[reason]},
	}
}

// Undone returns the conditions of a decision that could not be carried out.
func Undone(d scale.Decision, reason scale.Reason, message string) []Condition {
	return []Condition{{AbleToScale, false, string(reason), message}, scalingActive(d), scalingLimited(d, false)}
}

// Cautious returns the conditions of a decision that was made without a memory.
func Cautious(d scale.Decision, message string) []Condition {
	return []Condition{{AbleToScale, true, string(scale.MemoryLost), message}, scalingActive(d), scalingLimited(d, true)}
}

func ableToScale(d scale.Decision) Condition {
	if p := d.Pause; p != nil && p.Whole() && d.LimitedBy != scale.Paused && d.LimitedBy != scale.ModeOff && d.LimitedBy != scale.Recommend {
		return Condition{AbleToScale, false, string(scale.Paused), pauseMessage(p, d.Want.Replicas) + ": no other size would be applied now"}
	}
	switch d.LimitedBy {
	case scale.ModeOff, scale.Recommend, scale.Paused:
		return Condition{AbleToScale, false, string(d.LimitedBy), limitMessage(limitingStep(d)) + ": would " + heldBack(d)}
	}
	return Condition{AbleToScale, true, "Ready", Headline(d)}
}

// heldBack says what a mode or a pause keeps from happening. Where an HPA is
// tuned, the count is its own matter.
func heldBack(d scale.Decision) string {
	if d.Tuning == nil {
		return "apply " + Move(d.From, d.Proposed)
	}
	if sized := limitingStep(d).In; !sized.Equal(d.From) {
		return "tune the HPA, and apply " + Move(d.From, sized)
	}
	return "tune the HPA"
}

// scalingActive is false as soon as one metric is missing, so that a broken
// source is seen even while the others still do the work.
func scalingActive(d scale.Decision) Condition {
	asleep := d.From.Replicas == 0 && d.Reason != scale.NoData
	for _, s := range d.Steps {
		// Pods that sleep have no usage, and that is no fault of anyone.
		silent := s.Reason == scale.NoData && !asleep || slices.Contains([]scale.Reason{scale.Fallback, scale.PartialData, scale.FormulaMissing}, s.Reason)
		if silent || s.Reason == scale.ScalingDisabled {
			return Condition{ScalingActive, false, string(s.Reason), Message(s)}
		}
	}
	if d.Reason == scale.NoData {
		return Condition{ScalingActive, false, string(scale.NoData), "there is no metric and nobody requested a count"}
	}
	message := Headline(d)
	for _, s := range d.Steps {
		// What waits for a recommendation keeps nothing else from being scaled.
		if s.Reason == scale.Unrecommended {
			message += "; " + Message(s)
		}
	}
	return Condition{ScalingActive, true, string(d.Reason), message}
}

// scalingLimited says that the desired size is followed only where what was
// decided is in force, or under way.
func scalingLimited(d scale.Decision, followed bool) Condition {
	switch {
	case d.LimitedBy == "" && followed:
		return Condition{ScalingLimited, false, "WithinLimits", "the desired size is followed as it is"}
	case d.LimitedBy == "":
		return Condition{ScalingLimited, false, "WithinLimits", "no limit holds the desired size back, but not all of it is in force: see AbleToScale"}
	}
	s := limitingStep(d)
	return Condition{ScalingLimited, true, string(s.Reason), fmt.Sprintf("%s: %s", Move(s.In, s.Out), Message(s))}
}

// limitingStep is the step that has the last word on what was desired. Steps
// that only tell something may come after it.
func limitingStep(d scale.Decision) scale.Step {
	for _, s := range slices.Backward(d.Steps) {
		if s.Reason == d.LimitedBy {
			return s
		}
	}
	return scale.Step{Reason: d.LimitedBy}
}

// Event is a Kubernetes event to record.
type Event struct {
	// Warning marks something a person should look at.
	Warning bool
	Reason  string
	Message string
}

// Events returns what is worth an event after a decision, given the one
// before: a change of size, and the moment a reason to hold begins. Nothing is
// repeated while nothing changes.
func Events(d scale.Decision, before *scale.Decision) []Event {
	var out []Event
	if !d.Want.Equal(d.From) {
		out = append(out, Event{Reason: string(d.Reason), Message: Headline(d)})
	}
	if now := scalingActive(d); !now.Status && (before == nil || scalingActive(*before).Status) {
		out = append(out, Event{Warning: true, Reason: now.Reason, Message: now.Message})
	}
	if event, begins := stuckEvent(&d, before); begins {
		out = append(out, event)
	}
	return out
}
