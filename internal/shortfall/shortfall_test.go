package shortfall

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/scale"
)

var (
	noon  = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	early = noon.Add(-3 * time.Minute)
)

func cpu(m scale.Amount) scale.Resources { return scale.Resources{}.With(scale.CPU, m) }

func sized(n int32, m scale.Amount) scale.Size {
	return scale.Size{Replicas: n, Containers: []scale.Container{{Name: "app", Requests: cpu(m)}}}
}

// pod serves and was asked for 100m, which it has, unless an option says
// otherwise.
func pod(name string, options ...func(*scale.Pod)) scale.Pod {
	p := scale.Pod{Name: name, Phase: scale.Running, Ready: scale.Ready, Containers: []scale.PodContainer{{Name: "app", Requests: cpu(100), InForce: cpu(100)}}}
	for _, option := range options {
		option(&p)
	}
	return p
}

// pods are so many, all alike.
func pods(n int, options ...func(*scale.Pod)) []scale.Pod {
	out := make([]scale.Pod, n)
	for i := range out {
		out[i] = pod(fmt.Sprintf("web-%d", i), options...)
	}
	return out
}

func askedFor(m scale.Amount) func(*scale.Pod) {
	return func(p *scale.Pod) { p.Containers[0].Requests = cpu(m) }
}

func has(m scale.Amount) func(*scale.Pod) {
	return func(p *scale.Pod) { p.Containers[0].Requests, p.Containers[0].InForce = cpu(m), cpu(m) }
}

func state(r scale.Resize) func(*scale.Pod) {
	return func(p *scale.Pod) { p.Containers[0].Resize, p.ResizeSince = r, early }
}

func homeless(p *scale.Pod) {
	p.Phase, p.Ready, p.Pending, p.PendingSince = scale.Pending, scale.ReadinessAbsent, "Unschedulable", early
}

func crashes(p *scale.Pod) { p.Ready, p.Waiting = scale.NotReady, "CrashLoopBackOff" }

// boosted pods have 300m in force, and settle at what they were asked for.
func boosted(until time.Time) func(*scale.Pod) {
	return func(p *scale.Pod) { p.Boosted, p.BoostEnds, p.Containers[0].InForce = true, until, cpu(300) }
}

func deleting(p *scale.Pod) { p.Deleting = true }

// stays is a decision that keeps 5 pods of a size.
func stays(m scale.Amount) scale.Decision {
	return scale.Decision{From: sized(5, m), Want: sized(5, m)}
}

// grows is the decision to give 5 pods of 100m 260m each.
var grows = scale.Decision{From: sized(5, 100), Want: sized(5, 260)}

var quota = &scale.Refusal{Reason: scale.Quota, Words: "exceeded quota: few", Since: early}

var looks = map[string]struct {
	look   Look
	pods   []scale.Pod
	refuse *scale.Refusal
	want   scale.Shortfall
}{
	"everything is in force": {look: Look{Decision: stays(100), Sizes: sized(5, 100).Containers}, pods: pods(5)},

	// A boosted pod has more than was decided, and is meant to, until its boost is over.
	"pods that start with a boost": {look: Look{Decision: stays(100), Sizes: sized(5, 100).Containers}, pods: pods(5, boosted(noon))},
	"a boost that is over and stays": {look: Look{Decision: stays(100), Sizes: sized(5, 100).Containers},
		pods: append(pods(4), pod("web-4", boosted(early))), want: scale.Shortfall{Gaps: []scale.Gap{{
			Kind: scale.GapBoost, Reason: scale.StartupBoost, Count: 1, Of: 5, Pods: []string{"web-4"}, Since: early,
			Why: "their boost is over, and taking it back does not succeed or is not allowed now: the controller's log says why, and it is tried again"}}}},
	"a boosted pod of another size": {look: Look{Decision: grows}, pods: pods(5, boosted(noon)), want: scale.Shortfall{NotAtSize: 5, SizeSince: noon, Gaps: []scale.Gap{{
		Kind: scale.GapSize, Reason: scale.Waiting, Count: 5, Of: 5, Pods: []string{"web-0", "web-1", "web-2", "web-3", "web-4"},
		Why: "pods that run are not resized"}}}},

	// Five pods of 100m that were to have 260m, and nobody resizes them.
	"sizes that nobody carries out": {look: Look{Decision: grows}, pods: pods(5), want: scale.Shortfall{NotAtSize: 5, SizeSince: noon, Gaps: []scale.Gap{{
		Kind: scale.GapSize, Reason: scale.Waiting, Count: 5, Of: 5, Pods: []string{"web-0", "web-1", "web-2", "web-3", "web-4"},
		Why: "pods that run are not resized",
	}}}},
	"sizes that were just asked for are under way": {
		look: Look{Decision: grows, Sizes: grows.Want.Containers, Resized: true}, pods: pods(5), want: scale.Shortfall{NotAtSize: 5, SizeSince: noon},
	},
	"a pod whose turn comes after another's": {
		look: Look{Decision: stays(260), Sizes: grows.Want.Containers},
		pods: []scale.Pod{pod("a", askedFor(260), state(scale.ResizeInProgress)), pod("b"), pod("c", has(260)), pod("d", has(260)), pod("e", has(260))},
		want: scale.Shortfall{NotAtSize: 2, SizeSince: noon},
	},
	"a size that is rounded is in force":                              {look: Look{Decision: stays(260), Sizes: grows.Want.Containers}, pods: pods(5, has(259))},
	"a size that the decision does not speak of is nobody's business": {look: Look{Decision: stays(100)}, pods: pods(5, has(700))},
	"a node that has no room": {
		look: Look{Decision: stays(260), Sizes: grows.Want.Containers},
		pods: []scale.Pod{pod("a", askedFor(260), state(scale.ResizeDeferred)), pod("b", askedFor(260), state(scale.ResizeInfeasible)),
			pod("c", has(260)), pod("d", has(260)), pod("e", has(260))},
		want: scale.Shortfall{NotAtSize: 2, SizeSince: noon, Gaps: []scale.Gap{
			{Kind: scale.GapSize, Reason: scale.Waiting, Count: 1, Of: 5, Pods: []string{"a"}, Since: early, Why: "its node has no room for its new size yet (Deferred)"},
			{Kind: scale.GapSize, Reason: scale.Waiting, Count: 1, Of: 5, Pods: []string{"b"}, Since: early, Why: "its node can never give it this size (Infeasible)"},
		}},
	},
	"who resizes knows why better": {
		look: Look{Decision: stays(260), Sizes: grows.Want.Containers,
			Waits: []Wait{{Reason: scale.Quota, Who: "pod a", Pods: []string{"a"}, Why: "exceeded quota: few"}}},
		pods: []scale.Pod{pod("a"), pod("b", has(260)), pod("c", has(260)), pod("d", has(260)), pod("e", has(260))},
		want: scale.Shortfall{NotAtSize: 1, SizeSince: noon, Gaps: []scale.Gap{{Kind: scale.GapSize, Reason: scale.Quota, Count: 1, Of: 5,
			Pods: []string{"a"}, Why: "exceeded quota: few"}}},
	},
	"a resize that does not end": {
		look: Look{Decision: stays(260), Sizes: grows.Want.Containers},
		pods: pods(5, askedFor(260), state(scale.ResizeInProgress), func(p *scale.Pod) { p.ResizeSince = noon.Add(-resizing) }),
		want: scale.Shortfall{NotAtSize: 5, SizeSince: noon, Gaps: []scale.Gap{{
			Kind: scale.GapSize, Reason: scale.Waiting, Count: 5, Of: 5, Pods: []string{"web-0", "web-1", "web-2", "web-3", "web-4"}, Since: noon.Add(-resizing),
			Why: "its node does not get done with the resize (InProgress)",
		}}},
	},
	"a node that has not looked yet": {
		look: Look{Decision: stays(260), Sizes: grows.Want.Containers}, pods: pods(5, askedFor(260)), want: scale.Shortfall{NotAtSize: 5, SizeSince: noon},
	},
	"and one that does not answer": {
		look: Look{Decision: stays(260), Sizes: grows.Want.Containers, Before: scale.Shortfall{SizeSince: noon.Add(-resizing)}}, pods: pods(5, askedFor(260)),
		want: scale.Shortfall{NotAtSize: 5, SizeSince: noon.Add(-resizing), Gaps: []scale.Gap{{
			Kind: scale.GapSize, Reason: scale.Waiting, Count: 5, Of: 5, Pods: []string{"web-0", "web-1", "web-2", "web-3", "web-4"},
			Why: "it was asked for, and its node does not answer",
		}}},
	},

	"a quota of pods": {look: Look{Decision: stays(100)}, pods: pods(3), refuse: quota, want: scale.Shortfall{Missing: 2, MissingSince: noon, Gaps: []scale.Gap{
		{Kind: scale.GapMissing, Reason: scale.Quota, Count: 2, Of: 5, Since: early, Why: "exceeded quota: few"},
	}}},
	"pods that were asked for a moment ago":    {look: Look{Decision: scale.Decision{From: sized(3, 100), Want: sized(5, 100)}}, pods: pods(3)},
	"pods that are just being created":         {look: Look{Decision: stays(100)}, pods: pods(3), want: scale.Shortfall{Missing: 2, MissingSince: noon}},
	"pods on their way out are replaced later": {look: Look{Decision: stays(100)}, pods: append(pods(3), pod("x", deleting), pod("y", deleting))},
	"a refusal that is over":                   {look: Look{Decision: stays(100)}, pods: pods(5), refuse: quota},
	"pods that nobody creates, and nobody says": {look: Look{Decision: stays(100), Before: scale.Shortfall{MissingSince: early}}, pods: pods(3), want: scale.Shortfall{Missing: 2, MissingSince: early, Gaps: []scale.Gap{
		{Kind: scale.GapMissing, Reason: scale.Waiting, Count: 2, Of: 5, Since: early, Why: "the workload's controller has not created them"},
	}}},

	// 36 of 41 pods are pending.
	"nodes are full": {
		look: Look{Decision: scale.Decision{From: sized(5, 100), Want: sized(5, 100)}},
		pods: append(pods(2), pod("x", homeless), pod("y", homeless), pod("z", homeless)),
		want: scale.Shortfall{Pending: 3, Gaps: []scale.Gap{{
			Kind: scale.GapPending, Reason: scale.Unschedulable, Count: 3, Of: 5, Pods: []string{"x", "y", "z"}, Since: early,
			Why: "the scheduler finds no node for them; their events say why",
		}}},
	},
	"pods that crash are counted, and wait for nobody": {
		look: Look{Decision: stays(100)}, pods: append(pods(3), pod("x", crashes), pod("y", crashes), pod("z", crashes, deleting)),
		want: scale.Shortfall{Crashing: 2},
	},
	"the worst comes first": {
		look: Look{Decision: stays(100), Waits: []Wait{{Who: "HPA web", Why: "it has no metric for memory"}}},
		pods: append(pods(2), pod("x", homeless)), refuse: quota,
		want: scale.Shortfall{Missing: 2, MissingSince: noon, Pending: 1, Gaps: []scale.Gap{
			{Kind: scale.GapMissing, Reason: scale.Quota, Count: 2, Of: 5, Since: early, Why: "exceeded quota: few"},
			{Kind: scale.GapPending, Reason: scale.Unschedulable, Count: 1, Of: 3, Pods: []string{"x"}, Since: early, Why: "the scheduler finds no node for them; their events say why"},
			{Kind: scale.GapOther, Reason: scale.Waiting, Who: "HPA web", Why: "it has no metric for memory"},
		}},
	},
}

func TestOf(t *testing.T) {
	for name, c := range looks {
		t.Run(name, func(t *testing.T) {
			c.look.Obs = &scale.Observation{At: noon, Pods: c.pods, Target: scale.Target{SpecReplicas: c.look.Decision.From.Replicas, Refused: c.refuse}}
			if diff := cmp.Diff(c.want, Of(c.look)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestPodsThatNobodyListed: without pods the target's own count is believed.
func TestPodsThatNobodyListed(t *testing.T) {
	l := Look{Decision: stays(100), Obs: &scale.Observation{At: noon, Target: scale.Target{SpecReplicas: 5, StatusReplicas: 4, Refused: quota}}}
	if got := Of(l); got.Missing != 1 || len(got.Gaps) != 1 {
		t.Errorf("got %+v", got)
	}
}
