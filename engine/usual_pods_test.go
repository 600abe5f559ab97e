package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// TestUsualPodsCountAsAllOthers: pods that need no closer look count as if they
// had been given one. A pod that states its only container's request as its own
// says nothing new, but is looked at closely.
func TestUsualPodsCountAsAllOthers(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		p := policies().Draw(t, "policy")
		p.Horizontal.Metrics = []horizontal.Metric{{Name: "cpu", Type: scale.Utilization, Band: scale.Band{Low: 50_000, High: 50_000}}}
		p.Horizontal.Upstream = rapid.Bool().Draw(t, "upstream")
		p.Limit.Upstream = p.Horizontal.Upstream
		usual := scale.Observation{At: noon, Target: scale.Target{SpecReplicas: 8, StatusReplicas: 8}}
		usual.Pods = rapid.SliceOfN(almostUsual(), 1, 8).Draw(t, "pods")
		closely := usual
		closely.Pods = slices.Clone(usual.Pods)
		for i := range closely.Pods {
			closely.Pods[i].Requests = closely.Pods[i].Containers[0].Requests
		}
		want, wanted := engine.Decide(p, closely, engine.Memory{})
		got, remembered := engine.Decide(p, usual, engine.Memory{})
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(scale.Resources{})); diff != "" {
			t.Fatalf("the decision differs (-closely +usual):\n%s", diff)
		}
		if diff := cmp.Diff(wanted, remembered); diff != "" {
			t.Fatalf("the memory differs (-closely +usual):\n%s", diff)
		}
	})
}

// almostUsual are pods that are usual, or miss it by one thing: most moments are
// close to where samples become stale, or are from the future, and where pods
// have started.
func almostUsual() *rapid.Generator[scale.Pod] {
	near := func(ago ...time.Duration) *rapid.Generator[time.Time] {
		return rapid.Custom(func(t *rapid.T) time.Time {
			millis := time.Duration(rapid.IntRange(-1500, 1500).Draw(t, "millis")) * time.Millisecond
			return noon.Add(millis - rapid.SampledFrom(ago).Draw(t, "ago"))
		})
	}
	return rapid.Custom(func(t *rapid.T) scale.Pod {
		usage := scale.Resources{}.With(scale.CPU, rapid.SampledFrom([]scale.Amount{700, 700, 0, -1}).Draw(t, "usage"))
		pod := scale.Pod{
			Ready: scale.Ready, StartedAt: near(time.Hour, 5*time.Minute).Draw(t, "started"), ReadyChangedAt: near(0, time.Hour).Draw(t, "changed"),
			UsageAt: near(-30*time.Second, 0, time.Minute, 5*time.Minute).Draw(t, "usageAt"),
		}
		switch rapid.IntRange(0, 9).Draw(t, "unusual") {
		case 0:
			pod.Phase = rapid.SampledFrom([]scale.Phase{scale.Pending, scale.Failed, scale.Succeeded, scale.UnknownPhase}).Draw(t, "phase")
		case 1:
			pod.Ready = rapid.SampledFrom([]scale.Readiness{scale.NotReady, scale.ReadinessUnknown, scale.ReadinessAbsent}).Draw(t, "ready")
			pod.ReadyChangedAt = pod.StartedAt
		case 2:
			pod.Deleting = true
		case 3:
			usage = usage.WithUnusable(scale.CPU)
		case 4:
			pod.RestartedAt = near(time.Hour, 5*time.Minute).Draw(t, "restarted")
		case 5:
			pod.Waiting = "CrashLoopBackOff"
		}
		requests := scale.Resources{}.With(scale.CPU, rapid.SampledFrom([]scale.Amount{1000, 1000, 1000, 0}).Draw(t, "request"))
		pod.Containers = []scale.PodContainer{{Name: "app", Requests: requests, Usage: usage}}
		return pod
	})
}
