package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Message says a step in words.
func Message(s scale.Step) string {
	if s.Metric != nil {
		return metricMessage(s) + podsNote(s.Metric.Pods)
	}
	return limitMessage(s)
}

func metricMessage(s scale.Step) string {
	m, want := s.Metric, s.Out.Replicas
	value := amount(m, m.Value)
	if s.In.Replicas == 0 && want > 0 && m.Index >= 0 {
		return fmt.Sprintf("%s is %s, and no pod runs: asks for %d", m.Name, value, want)
	}
	if m.Headroom != nil {
		return headroomMessage(s)
	}
	switch s.Reason {
	case scale.AboveHighWatermark:
		return fmt.Sprintf("%s is %s, above the high watermark %s: asks for %d", m.Name, value, amount(m, m.Band.High), want)
	case scale.BelowLowWatermark:
		return fmt.Sprintf("%s is %s, below the low watermark %s: asks for %d", m.Name, value, amount(m, m.Band.Low), want)
	case scale.WithinWatermarks, scale.WithinTolerance:
		if softened(m) {
			return fmt.Sprintf("%s is %s over the pods that count, but no longer outside %s once the others are counted in", m.Name, value, bandText(m))
		}
	}
	switch s.Reason {
	case scale.WithinWatermarks:
		return fmt.Sprintf("%s is %s, between the watermarks %s and %s", m.Name, value, amount(m, m.Band.Low), amount(m, m.Band.High))
	case scale.AboveTarget:
		return fmt.Sprintf("%s is %s, above the target %s: asks for %d", m.Name, value, amount(m, m.Band.High), want)
	case scale.BelowTarget:
		return fmt.Sprintf("%s is %s, below the target %s: asks for %d", m.Name, value, amount(m, m.Band.High), want)
	case scale.WithinTolerance:
		return fmt.Sprintf("%s is %s, within the tolerance of the target %s", m.Name, value, amount(m, m.Band.High))
	case scale.Converging:
		return fmt.Sprintf("%s is %s, between the watermarks %s and %s: creeps to %d", m.Name, value, amount(m, m.Band.Low), amount(m, m.Band.High), want)
	case scale.DirectionGuard:
		return fmt.Sprintf("%s is %s, but the count it leads to would go the other way: keeps %d", m.Name, value, want)
	case scale.Requested:
		return fmt.Sprintf("%d were asked for through the scale subresource", want)
	case scale.NoData:
		if want > s.In.Replicas {
			return fmt.Sprintf("%s has no usable sample (%s): falls back to %d", m.Name, m.Problem, want)
		}
		return fmt.Sprintf("%s has no usable sample (%s)", m.Name, m.Problem)
	}
	return fmt.Sprintf("%s is %s: asks for %d", m.Name, value, want)
}

// headroomMessage says it as a person would: what is used, what it may grow by
// and how sure that is.
func headroomMessage(s scale.Step) string {
	m, h := s.Metric, s.Metric.Headroom
	format := func(a scale.Amount) string { return h.Resource.Format(a) }
	if s.Reason == scale.Saturated {
		return fmt.Sprintf("%s usage is %s, all that the pods may use: asks for %d", m.Name, format(m.Value), s.Out.Replicas)
	}
	cases := int64(scale.Parts)
	if h.Risk > 0 {
		cases = int64(scale.Parts) / h.Risk
	}
	text := fmt.Sprintf("%s usage is %s, and grows by at most %s in %s in %d of %d cases", m.Name, format(m.Value), format(h.Extra), wait(h.Within), cases-1, cases)
	if s.Reason == scale.HeadroomKept {
		return text + ": enough"
	}
	return fmt.Sprintf("%s: asks for %d", text, s.Out.Replicas)
}

// softened tells whether pods nothing is known of took the value back into its
// band.
func softened(m *scale.MetricFacts) bool {
	return m.Pods.Missing+m.Pods.Unready > 0 && (m.Value < m.Band.Low || m.Value > m.Band.High)
}

func bandText(m *scale.MetricFacts) string {
	if m.Band.Single() {
		return "the tolerance of the target " + amount(m, m.Band.High)
	}
	return fmt.Sprintf("the watermarks %s and %s", amount(m, m.Band.Low), amount(m, m.Band.High))
}

func limitMessage(s scale.Step) string {
	switch s.Reason {
	case scale.Stabilized:
		return "another wish within the stabilisation window holds it back"
	case scale.VelocityUp, scale.VelocityDown:
		return fmt.Sprintf("no further than %d for now", s.Limit)
	case scale.StepRounded:
		return fmt.Sprintf("only multiples of the step: %d", s.Limit)
	case scale.MinReplicas:
		return fmt.Sprintf("the minimum is %d", s.Limit)
	case scale.MaxReplicas:
		return fmt.Sprintf("the maximum is %d", s.Limit)
	case scale.Delayed:
		return fmt.Sprintf("must last another %s first", wait(s.Wait))
	case scale.ForbiddenWindow:
		return fmt.Sprintf("too soon after the last change: another %s to wait", wait(s.Wait))
	case scale.LeftToHPA:
		return "the HPA scales; its bounds and targets are tuned"
	case scale.ModeOff:
		return "the mode is Off"
	case scale.Recommend:
		return "the mode is Recommend"
	case scale.Paused:
		return "the administrator has paused all scaling"
	case scale.NextInterval:
		return fmt.Sprintf("the total is made for %d replicas", s.Out.Replicas)
	case scale.PreviousInterval:
		return "the total is made for fewer replicas"
	case scale.WithinInterval:
		return fmt.Sprintf("the total is within the interval of %d replicas", s.Out.Replicas)
	case scale.LearnedMin:
		return fmt.Sprintf("history asks for at least %d at this hour", s.Limit)
	case scale.LearnedMax:
		return fmt.Sprintf("history allows at most %d at this hour", s.Limit)
	case scale.TargetLearned:
		return fmt.Sprintf("the target is %d%%", s.Limit)
	case scale.Emergency:
		return fmt.Sprintf("an emergency keeps at least %d", s.Limit)
	case scale.KeepLargerRequest:
		return "a step out never shrinks a pod"
	case scale.ScaleInPostponed:
		return "fewer pods would have to be bigger, so they wait"
	case scale.PreferredMaxReplicas:
		return "the preferred number of pods is reached, so they grow"
	case scale.RightSized:
		return "the pods are made to fit"
	case scale.MinimumResource:
		return "a request is at its minimum"
	case scale.MaximumResource:
		return "a request is at its maximum"
	case scale.MinChange:
		return "the change of the total is smaller than minChange"
	case scale.UpdateOff:
		return "changes in this direction are off"
	case scale.MaintenanceWindow:
		return "no maintenance window is open"
	case scale.OutOfMemory:
		return "memory ran out, so it does not wait"
	case scale.ScalingDisabled:
		return "the target is at zero and the autoscaler did not bring it there"
	}
	return string(s.Reason)
}

func wait(d time.Duration) string { return d.Round(time.Millisecond).String() }

// amount prints a metric's value in its own unit.
func amount(m *scale.MetricFacts, a scale.Amount) string {
	switch {
	case m.Type == scale.Utilization:
		text := fmt.Sprintf("%d.%03d", a/scale.Thousand, a%scale.Thousand)
		return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + "%"
	case m.Bytes:
		return a.Bytes()
	}
	return a.String()
}

// podsNote tells of pods that did not count, where there were any.
func podsNote(p scale.PodCounts) string {
	var notes []string
	if p.Unready > 0 {
		notes = append(notes, fmt.Sprintf("%d not ready", p.Unready))
	}
	if p.Missing > p.Unusable {
		notes = append(notes, fmt.Sprintf("%d without a sample", p.Missing-p.Unusable))
	}
	if p.Unusable > 0 {
		notes = append(notes, fmt.Sprintf("%d with an unusable sample", p.Unusable))
	}
	if len(notes) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d pods counted, %s)", p.Counted, strings.Join(notes, ", "))
}
