//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestASchedule: it wakes a workload that sleeps, without any metric, is named in
// the explanation, and lets it sleep again at its end.
func TestASchedule(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 1)
	from := time.Now().Add(20 * time.Second)
	until := from.Add(40 * time.Second)
	p.autoscaler("web", fmt.Sprintf(`{replicas: {min: 0, max: 9}, schedules: [{name: rush, from: %q, until: %q, replicas: {min: 3}}]}`,
		from.UTC().Format(time.RFC3339), until.UTC().Format(time.RFC3339)))
	p.eventuallyHas("web", 0)
	p.eventuallyHas("web", 3)
	if now := time.Now(); now.Before(from.Add(-time.Minute)) {
		t.Errorf("woken at %s, and it starts at %s", now, from)
	}
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "ScheduledMin"))
	// Its pods are started ahead, so that it may not have begun yet.
	eventually(t, patience, func() error {
		if out := tidemark(t, "explain", "web", "-n", p.name); !strings.Contains(out, "rush asks for at least 3 until ") {
			return fmt.Errorf("the schedule is not named:\n%s", out)
		}
		return nil
	})
	p.eventuallyHas("web", 0)
	if now := time.Now(); now.Before(until.Truncate(time.Second)) {
		t.Errorf("asleep at %s, and it ends at %s", now, until)
	}
}

// soon is a moment that comes while a test waits.
func soon() time.Time { return time.Now().Add(5 * time.Second).Truncate(time.Second) }

// TestAScheduledMaximum: no more pods than it allows, until it ends.
func TestAScheduledMaximum(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	p.queue("90")
	p.workload("web", 2)
	p.autoscaler("web", strings.TrimSuffix(perPod, "}")+`, schedules: [{name: quiet, from: "2020-01-01T00:00:00Z", until: "2100-01-01T00:00:00Z", replicas: {max: 3}}]}`)
	p.eventuallyHas("web", 3)
	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "ScheduledMax", "the scheduled maximum is 3"))
	eventually(t, patience, p.explains("web", "ScheduledMax quiet allows at most 3 until Fri 2100-01-01 00:00 UTC"))
	eventually(t, patience, p.counts(controller, "max_replicas", 3))
	always(t, 5*time.Second, p.has("web", 3))

	until := p.endsSoon("web", "quiet", "replicas: {max: 3}")
	p.eventuallyHas("web", 9)
	if now := time.Now(); now.Before(until) {
		t.Errorf("more than three at %s, and it ends at %s", now, until)
	}
}

// TestAFreeze: it forbids one direction, lets the other through, and ends.
func TestAFreeze(t *testing.T) {
	t.Parallel()
	for freeze, tc := range map[string]struct {
		forbidden, allowed string
		to                 int32
	}{"Up": {"90", "20", 2}, "Down": {"20", "60", 6}, "All": {forbidden: "90"}} {
		t.Run(freeze, func(t *testing.T) {
			share(t)
			p := newPlace(t)
			p.queue(tc.forbidden)
			p.workload("web", 4)
			p.autoscaler("web", strings.TrimSuffix(perPod, "}")+
				`, schedules: [{name: sale, from: "2020-01-01T00:00:00Z", until: "2100-01-01T00:00:00Z", freeze: `+freeze+`}]}`)
			eventually(t, patience, p.shows("web", "ScalingLimited", "True", "ScheduledFreeze", "sale forbids changes in this direction until Fri 2100-01-01 00:00 UTC"))
			always(t, 5*time.Second, p.has("web", 4))
			if tc.allowed != "" {
				p.queue(tc.allowed)
				p.eventuallyHas("web", tc.to)
			}

			p.queue(tc.forbidden)
			eventually(t, patience, p.shows("web", "ScalingLimited", "True", "ScheduledFreeze"))
			until := p.endsSoon("web", "sale", "freeze: "+freeze)
			p.eventuallyHas("web", map[string]int32{"90": 9, "20": 2}[tc.forbidden])
			if now := time.Now(); now.Before(until) {
				t.Errorf("it changed at %s, and the freeze ends at %s", now, until)
			}
		})
	}
}

// endsSoon lets the only schedule of an object end at a moment.
func (p *place) endsSoon(name, schedule, says string) time.Time {
	p.t.Helper()
	until := soon()
	p.patch(&v1alpha1.WorkloadAutoscaler{}, name, `{spec: {schedules: [{name: %s, from: "2020-01-01T00:00:00Z", until: %q, %s}]}}`,
		schedule, until.UTC().Format(time.RFC3339), says)
	return until
}

// TestAPauseByField: at a count, then in one direction, which ends at a moment. The
// annotation wins over it.
func TestAPauseByField(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	p.queue("40")
	p.workload("web", 2)
	p.autoscaler("web", strings.TrimSuffix(perPod, "}")+`, pause: {replicas: 6}}`)
	p.eventuallyHas("web", 6)
	eventually(t, patience, p.shows("web", "AbleToScale", "False", "Paused", "spec.pause pauses at 6"))
	eventually(t, patience, p.counts(controller, "paused", 1))
	if out := tidemark(t, "get", "web", "-n", p.name, "-o", "wide"); !strings.Contains(out, "Paused") {
		t.Errorf("the pause is not seen:\n%s", out)
	}
	p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{metadata: {annotations: {%s: "5"}}}`, v1alpha1.PausedAnnotation)
	p.eventuallyHas("web", 5)
	p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{metadata: {annotations: {%s: null}}}`, v1alpha1.PausedAnnotation)
	p.eventuallyHas("web", 6)

	p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{spec: {pause: {replicas: null, directions: In, until: "2100-01-01T00:00:00Z"}}}`)
	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "Paused", "spec.pause pauses scaling in until 2100-01-01T00:00:00Z"))
	p.queue("80")
	p.eventuallyHas("web", 8) // more pods are let through
	p.queue("40")
	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "Paused", "spec.pause pauses scaling in"))
	always(t, 5*time.Second, p.has("web", 8))

	until := soon()
	p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{spec: {pause: {until: %q}}}`, until.UTC().Format(time.RFC3339))
	p.eventuallyHas("web", 4)
	if now := time.Now(); now.Before(until) {
		t.Errorf("fewer pods at %s, and the pause ends at %s", now, until)
	}
	eventually(t, patience, p.counts(controller, "paused", 0))
}

// TestAPausedObject: paused by its annotation at a count, then in one direction,
// then no more. It is seen in the status, in get and in a series.
func TestAPausedObject(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	p.queue("40")
	p.workload("web", 2)
	p.autoscaler("web", perPod)
	p.eventuallyHas("web", 4)
	annotate := func(value string) {
		p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{metadata: {annotations: {%s: %q}}}`, v1alpha1.PausedAnnotation, value)
	}

	annotate("6")
	p.eventuallyHas("web", 6)
	eventually(t, patience, p.shows("web", "AbleToScale", "False", "Paused", "the annotation "+v1alpha1.PausedAnnotation+" pauses at 6"))
	eventually(t, patience, p.counts(controller, "paused", 1))
	if out := tidemark(t, "get", "web", "-n", p.name, "-o", "wide"); !strings.Contains(out, "Paused") {
		t.Errorf("the pause is not seen:\n%s", out)
	}

	annotate("out")
	p.eventuallyHas("web", 4) // fewer pods are still let through
	p.queue("90")
	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "Paused", "pauses scaling out"))
	always(t, 5*time.Second, p.has("web", 4))

	annotate("false")
	p.eventuallyHas("web", 9)
	eventually(t, patience, p.counts(controller, "paused", 0))
}

// TestAFallbackAfterATime: a metric that fails holds the count first, and stands
// for what was stated once that has lasted.
func TestAFallbackAfterATime(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.queue("40")
	p.workload("web", 2)
	p.autoscaler("web", `{replicas: {min: 1, max: 9}, metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}},
		onMissing: {replicas: 2, afterSeconds: 15, behavior: Static}}]}`)
	p.eventuallyHas("web", 4)

	p.metric("queue", "external: queue_length\nvalue: error\n")
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData", "falls back in"))
	p.eventuallyHas("web", 2)
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "Fallback", "falls back to 2"))

	p.queue("30")
	p.eventuallyHas("web", 3)
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
}
