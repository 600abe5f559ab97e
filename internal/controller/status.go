package controller

import (
	"maps"
	"regexp"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scale"
)

// statusOf is the status that a report makes.
func statusOf(report *report) (v1alpha1.WorkloadAutoscalerStatus, error) {
	status := report.status
	if report.memory == nil {
		return status, nil
	}
	text, err := record.EncodeMemory(*report.memory)
	if err != nil {
		return status, err
	}
	status.Memory = &runtime.RawExtension{Raw: text}
	if last := report.memory.LastEventAt; !last.IsZero() {
		status.LastScaleTime = new(metav1.NewTime(last).Rfc3339Copy())
	}
	return status, nil
}

// worthWriting tells whether a status says something new. Sizes, reasons and
// conditions are new when they differ, and the memory when a later decision
// could tell the difference. That time went by, and that a metric has another
// value in an otherwise equal sentence, is not: the series of metrics are there
// for that, and a workload at rest must not cause a write each period. Only after
// refreshAfter is a status written for its age alone.
func worthWriting(before, after v1alpha1.WorkloadAutoscalerStatus) bool {
	return stale(before, after) ||
		before.ObservedGeneration != after.ObservedGeneration ||
		before.Replicas != after.Replicas ||
		before.Selector != after.Selector ||
		before.Paused != after.Paused ||
		before.PublishedVPA != after.PublishedVPA ||
		!equalPointers(before.DesiredReplicas, after.DesiredReplicas) ||
		!equalTimes(before.LastScaleTime, after.LastScaleTime) ||
		!slices.EqualFunc(before.Conditions, after.Conditions, sameCondition) ||
		!sameDecision(before.LastDecision, after.LastDecision) ||
		!sameMemory(before.Memory, after.Memory)
}

// refreshAfter is the age at which a status is written again although nothing
// changed, so that its readers can tell a quiet workload from a controller that
// is gone. The pod webhook is one of them.
const refreshAfter = 6 * time.Hour

func stale(before, after v1alpha1.WorkloadAutoscalerStatus) bool {
	return before.LastDecision != nil && after.LastDecision != nil &&
		after.LastDecision.At.Sub(before.LastDecision.At.Time) >= refreshAfter
}

func equalPointers(a, b *int32) bool {
	return a == b || a != nil && b != nil && *a == *b
}

func equalTimes(a, b *metav1.Time) bool {
	return a == b || a != nil && b != nil && a.Equal(b)
}

// numbers are the parts of a message that move while it says the same.
var numbers = regexp.MustCompile(`[0-9][0-9.]*[a-zA-Zµ%]*([0-9.]+[a-zµ]+)*`)

// sameCondition compares what is not in force to the letter: there every number
// is one of pods. So it does how far a past was read.
func sameCondition(a, b metav1.Condition) bool {
	return a.Type == b.Type && a.Status == b.Status && a.Reason == b.Reason && a.ObservedGeneration == b.ObservedGeneration &&
		(a.Message == b.Message || a.Type != explain.HistoryFilled && !slices.Contains(scale.GapReasons, scale.Reason(a.Reason)) &&
			numbers.ReplaceAllString(a.Message, "#") == numbers.ReplaceAllString(b.Message, "#"))
}

func sameDecision(a, b *v1alpha1.Decision) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Reason == b.Reason && a.LimitedBy == b.LimitedBy &&
		sameSize(a.From, b.From) && sameSize(a.Want, b.Want) && sameSize(a.Proposed, b.Proposed) &&
		sameTuning(a.Tuning, b.Tuning) &&
		slices.EqualFunc(a.Steps, b.Steps, sameStep)
}

// sameStep tells whether two steps say the same. Which pods fail is
// news, although the count stays.
func sameStep(a, b v1alpha1.Step) bool {
	return a.Stage == b.Stage && a.Reason == b.Reason && failing(a.Message) == failing(b.Message)
}

func sameSize(a, b v1alpha1.Size) bool {
	same := func(a, b map[string]string) bool { return maps.Equal(a, b) }
	return a.Replicas == b.Replicas && maps.EqualFunc(a.Containers, b.Containers, same) && maps.EqualFunc(a.Limits, b.Limits, same)
}

func sameTuning(a, b *v1alpha1.Tuning) bool {
	if a == nil || b == nil {
		return a == b
	}
	same := func(a, b map[string]int32) bool { return maps.Equal(a, b) }
	return equalPointers(a.MinReplicas, b.MinReplicas) && equalPointers(a.MaxReplicas, b.MaxReplicas) && maps.EqualFunc(a.Targets, b.Targets, same)
}
