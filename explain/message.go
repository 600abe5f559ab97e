package explain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Message says a step in words.
func Message(s scale.Step) string {
	if s.Metric != nil {
		return metricMessage(s) + podsNote(s.Metric) + inputsNote(s.Metric)
	}
	return limitMessage(s)
}

func metricMessage(s scale.Step) string {
	m, want := s.Metric, s.Out.Replicas
	value := amount(m, m.Value)
	switch {
	case m.Index < 0 && s.Reason != scale.Requested:
		return fmt.Sprintf("there is no metric, so the smallest count is desired: %d", want)
	case m.Headroom != nil:
		return headroomMessage(s)
	case s.Reason == scale.NoData || s.Reason == scale.Fallback:
		return noDataMessage(s)
	case s.Reason == scale.FormulaMissing:
		return fmt.Sprintf("%s has no value: %s", m.Name, m.Problem)
	case s.Reason == scale.Activated:
		return fmt.Sprintf("%s is %s, and its source says that there is work: asks for %d", m.Name, value, want)
	case s.Reason == scale.NotActivated:
		return notActivatedMessage(s)
	case s.Reason == scale.PartialData:
		return fmt.Sprintf("%s is known of too few of the pods to go by: keeps %d", m.Name, want)
	case s.In.Replicas == 0 && want > 0 && m.Index >= 0:
		return fmt.Sprintf("%s is %s, and no pod runs: asks for %d", m.Name, value, want)
	case m.Softened:
		return fmt.Sprintf("%s is %s over the pods that count, but no longer outside %s once the others are counted in", m.Name, value, bandText(m))
	}
	return bandMessage(s, value)
}

// bandMessage says where a value lies in its band, and what that leads to.
func bandMessage(s scale.Step, value string) string {
	m, want := s.Metric, s.Out.Replicas
	switch s.Reason {
	case scale.AboveHighWatermark:
		return fmt.Sprintf("%s is %s, above the high watermark %s: asks for %d", m.Name, value, amount(m, m.Band.High), want)
	case scale.BelowLowWatermark:
		return fmt.Sprintf("%s is %s, below the low watermark %s: asks for %d", m.Name, value, amount(m, m.Band.Low), want)
	case scale.AboveTarget:
		return fmt.Sprintf("%s is %s, above the target %s: asks for %d", m.Name, value, amount(m, m.Band.High), want)
	case scale.BelowTarget:
		return fmt.Sprintf("%s is %s, below the target %s: asks for %d", m.Name, value, amount(m, m.Band.High), want)
	case scale.WithinWatermarks:
		return fmt.Sprintf("%s is %s, between %s", m.Name, value, bandText(m))
	case scale.WithinTolerance:
		return fmt.Sprintf("%s is %s, within %s", m.Name, value, bandText(m))
	case scale.Converging:
		return fmt.Sprintf("%s is %s, between %s: creeps to %d", m.Name, value, bandText(m), want)
	case scale.DirectionGuard:
		return fmt.Sprintf("%s is %s, but the count it leads to would go the other way: keeps %d", m.Name, value, want)
	case scale.Requested:
		return fmt.Sprintf("%d were asked for through the scale subresource", want)
	}
	return fmt.Sprintf("%s is %s: asks for %d", m.Name, value, want)
}

func noDataMessage(s scale.Step) string {
	text := fmt.Sprintf("%s has no usable sample (%s)", s.Metric.Name, s.Metric.Problem)
	switch {
	case s.Wait > 0:
		text += fmt.Sprintf(": holds, and falls back in %s", wait(s.Wait))
	case s.Reason == scale.Fallback || s.Out.Replicas > s.In.Replicas:
		text += fmt.Sprintf(": falls back to %d", s.Out.Replicas)
	}
	return text
}

// headroomMessage says it as a person would: what is used, what it may grow by
// and how sure that is.
func headroomMessage(s scale.Step) string {
	m, h := s.Metric, s.Metric.Headroom
	format := func(a scale.Amount) string { return h.Resource.Format(a) }
	if m.Cost != nil {
		return pricedMessage(s)
	}
	if s.Reason == scale.Saturated {
		return fmt.Sprintf("%s usage is %s, all that the pods may use: asks for %d", m.Name, format(m.Value), s.Out.Replicas)
	}
	cases := int64(scale.Parts)
	if h.Risk > 0 {
		cases = int64(scale.Parts) / h.Risk
	}
	likely := ""
	if h.Expected > 0 && h.Expected != m.Value {
		likely = fmt.Sprintf(", likely to be %s soon", format(h.Expected))
	}
	text := fmt.Sprintf("%s usage is %s%s, and grows by at most %s in %s in %d of %d cases", m.Name, format(m.Value), likely, format(h.Headroom),
		wait(h.Within), cases-1, cases)
	switch s.Reason {
	case scale.HeadroomKept:
		return text + ": enough"
	case scale.HeadroomHeld:
		return text + ": more than enough, but to change is not worth it yet"
	}
	if !s.Out.Equal(s.In.WithReplicas(s.Out.Replicas)) {
		return text + map[bool]string{true: ": too little room", false: ": too much room"}[s.Reason == scale.HeadroomShort]
	}
	return fmt.Sprintf("%s: asks for %d", text, s.Out.Replicas)
}

func bandText(m *scale.MetricFacts) string {
	if m.Band.Single() {
		return "the tolerance of the target " + amount(m, m.Band.High)
	}
	return fmt.Sprintf("the watermarks %s and %s", amount(m, m.Band.Low), amount(m, m.Band.High))
}

// words are the messages that need no number.
var words = map[scale.Reason]string{
	scale.NotAllAgree:          "not all ask for more, and not all for fewer: stays as it is",
	scale.Stabilized:           "what was desired within the stabilization window holds it back",
	scale.KeepLargerRequest:    "a step out never shrinks a pod",
	scale.ResizedInPlace:       "the pods are resized in place",
	scale.Rebalanced:           "the pods would be too far from their usual size: their number changes, and until new ones are ready the others carry the load",
	scale.ScaleInPostponed:     "fewer pods would have to be bigger, so they wait",
	scale.PreferredMaxReplicas: "the preferred number of pods is reached, so they grow",
	scale.PreviousInterval:     "the total is made for fewer replicas",
	scale.RightSized:           "the pods are made to fit",
	scale.MinimumResource:      "a request is at its minimum",
	scale.MaximumResource:      "a request is at its maximum",
	scale.ApplicationCeiling:   "pods use no more although they were given more, so pods are added instead",
	scale.MinChange:            "the change of the total is smaller than minChange",
	scale.UpdateOff:            "changes in this direction are off",
	scale.MaintenanceWindow:    "no maintenance window is open",
	scale.ScheduledFreeze:      "a schedule forbids changes in this direction",
	scale.OutOfMemory:          "memory ran out, so it does not wait",
	scale.LeftToHPA:            "the HPA scales; its bounds and targets are tuned",
	scale.ModeOff:              "the mode is Off",
	scale.Recommend:            "the mode is Recommend",
	scale.Paused:               "the administrator has paused all scaling",
	scale.ScalingDisabled:      "the target is at zero and the autoscaler did not bring it there",
	scale.InvalidSpec:          "the spec cannot be followed",
	scale.NamespaceExcluded:    "the administrator has excluded the namespace",
	scale.TooManyObjects:       "the namespace has more objects than the administrator allows",
	scale.SharedTarget:         "several objects scale the same target",
	scale.ForeignAutoscaler:    "another autoscaler scales the target",
	scale.TargetMissing:        "the target, or the HPA that hpaName names, does not exist: see AbleToScale",
	scale.TargetUnreadable:     "the target could not be read",
	scale.Forbidden:            "the controller lacks a permission",
	scale.HistoryUnreadable:    "what was learned of the workload could not be read",
	scale.HistoryRefused:       "there is a history that is not used",
	scale.HistoryUnsaved:       "what was learned is not saved",
	scale.Backfilling:          "the past is being read",
	scale.BackfillFailed:       "the past could not be read",
	scale.Backfilled:           "the past was read",
	scale.MemoryLost:           "the memory could not be read, so nothing scales down for one window",
	scale.Conflict:             "someone else changed the target at the same moment",
	scale.ApplyFailed:          "the decision could not be carried out",
	scale.GivenBack:            "the HPA has what was found in it before it was tuned",
	scale.Waiting:              "some of the decision could not be carried out yet",
	scale.Quota:                "a quota does not allow what was decided",
	scale.LimitRange:           "a LimitRange does not allow what was decided",
	scale.Unschedulable:        "there is no node for some pods",
	scale.CrashLooping:         "pods crash again and again",
	scale.NodeSize:             "no node has room for a larger pod",
}

// counted are the messages that name the count a limit allows.
var counted = map[scale.Reason]string{
	scale.VelocityUp:     "no further than %d for now",
	scale.VelocityDown:   "no further than %d for now",
	scale.StepRounded:    "only multiples of the step: %d",
	scale.MinReplicas:    "the minimum is %d",
	scale.MaxReplicas:    "the maximum is %d",
	scale.LearnedMin:     "history asks for at least %d at this hour",
	scale.LearnedMax:     "history allows at most %d at this hour",
	scale.ScheduledMin:   "the scheduled minimum is %d",
	scale.ScheduledMax:   "the scheduled maximum is %d",
	scale.Emergency:      "an emergency keeps at least %d",
	scale.NextInterval:   "the total is made for %d replicas",
	scale.WithinInterval: "the total is within the interval of %d replicas",
}

func countedMessage(s scale.Step, format string) string {
	text := fmt.Sprintf(format, s.Limit)
	if s.Stage == scale.StageCombine && (s.Reason == scale.MaxReplicas || s.Reason == scale.LearnedMax) {
		text += ", so the pods grow"
	}
	return text
}

func limitMessage(s scale.Step) string {
	switch {
	case s.When != nil:
		return whenMessage(s)
	case s.Pods != nil && slices.Contains(stuckReasons, s.Reason):
		return stuckMessage(s)
	case s.Resources != "" && slices.Contains(capacityReasons, s.Reason):
		return capacityMessage(s)
	}
	if text, ok := words[s.Reason]; ok {
		return text
	}
	if format, ok := counted[s.Reason]; ok {
		return countedMessage(s, format)
	}
	switch s.Reason {
	case scale.NoData:
		return unrecommendedMessage(s)
	case scale.Unrecommended:
		return waitingMessage(s)
	case scale.EmptiestFirst:
		return "the pods with the least to do go first: " + names(s.Pods)
	case scale.StartupBoost:
		return boostMessage(s)
	case scale.ResizePending:
		return lateMessage(s)
	case scale.ResizeLagging:
		return lateMessage(s) + fmt.Sprintf(": %d pods make up for it", s.Limit)
	case scale.TargetLearned:
		return fmt.Sprintf("the %s target of %s is %d%%", s.Target.Resource, s.Target.Container, s.Target.Percent)
	case scale.TargetKept:
		return fmt.Sprintf("the %s target of %s stays at %d%% until enough was observed under it", s.Target.Resource, s.Target.Container, s.Target.Percent)
	case scale.SelfTuned:
		return tunedMessage(s.Tuned)
	case scale.NotTuned:
		return "the HPA's " + s.Problem
	case scale.Delayed:
		return fmt.Sprintf("must last another %s first", wait(s.Wait))
	case scale.ForbiddenWindow:
		return fmt.Sprintf("too soon after the last change: another %s to wait", wait(s.Wait))
	}
	return string(s.Reason)
}

// lateMessage names the pods that have not got their size.
func lateMessage(s scale.Step) string {
	how := map[scale.Resize]string{
		scale.ResizeInProgress: ", the resize is in progress", scale.ResizeDeferred: ", the resize is deferred: the node has no room now",
		scale.ResizeInfeasible: ", the resize is infeasible: the node will never have room",
	}[s.Resize]
	return fmt.Sprintf("%s: not at the size that was decided%s", s.Pods, how)
}

// unrecommendedMessage says why pods that are sized by a recommendation have
// none.
func unrecommendedMessage(s scale.Step) string {
	switch {
	case s.In.Replicas == 0:
		return "no pod runs, so there is nothing to size"
	case s.Problem != "":
		return "there is no recommendation for the pods' size yet: " + s.Problem
	}
	return "there is no metric with a value, and no recommendation for the pods' size"
}

// waitingMessage names the resources that wait for a recommendation, and says why
// there is none where that is known.
func waitingMessage(s scale.Step) string {
	text := s.Resources + ": waits for a recommendation, and stays as it is"
	if s.Problem != "" {
		text += ": " + s.Problem
	}
	return text
}

func wait(d time.Duration) string { return d.Round(time.Millisecond).String() }

// valueType is what a metric's value is compared as. One that is sized by measured
// growth is an amount in all, whatever its target is.
func valueType(m *scale.MetricFacts) scale.TargetType {
	if m.Headroom != nil {
		return scale.Value
	}
	return m.Type
}

// banded tells whether a metric's value is compared with its band: not what
// someone asked for, and not what is sized by measured growth.
func banded(m *scale.MetricFacts) bool { return m.Index >= 0 && m.Headroom == nil }

// amount prints a metric's value in its own unit.
func amount(m *scale.MetricFacts, a scale.Amount) string {
	switch {
	case m.Headroom != nil:
		return m.Headroom.Resource.Format(a)
	case m.Type == scale.Utilization:
		text := fmt.Sprintf("%d.%03d", a/scale.Thousand, a%scale.Thousand)
		return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + "%"
	case m.Bytes:
		return a.Bytes()
	}
	return a.String()
}
