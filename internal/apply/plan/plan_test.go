package plan

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/scale"
)

var now = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// podOf is a ready pod of an hour, at its wanted size, changed by options.
func podOf(name string, options ...func(*Pod)) Pod {
	p := Pod{Name: name, Ready: true, CreatedAt: now.Add(-time.Hour)}
	for _, option := range options {
		option(&p)
	}
	return p
}

func small(p *Pod)    { p.Grows = true }
func large(p *Pod)    { p.Shrinks = true }
func mixed(p *Pod)    { p.Grows, p.Shrinks = true, true }
func unready(p *Pod)  { p.Ready = false }
func young(p *Pod)    { p.CreatedAt = now.Add(-time.Minute) }
func more(p *Pod)     { p.Grows, p.Higher = true, [len(scale.EveryResource)]bool{scale.Memory: true} }
func restarts(p *Pod) { p.Restarts, p.GrowingRestarts = true, true }

func served(ago time.Duration) func(*Pod) {
	return func(p *Pod) { p.ServedAt = now.Add(-ago) }
}

func resizing(state scale.Resize, since time.Duration) func(*Pod) {
	return func(p *Pod) { p.Resize, p.Since = state, now.Add(-since) }
}

var (
	moving     = resizing(scale.ResizeInProgress, time.Second)
	infeasible = resizing(scale.ResizeInfeasible, time.Second)
)

// many are n pods, each changed by an option.
func many(n int, option func(*Pod), more ...Pod) []Pod {
	var pods []Pod
	for i := range n {
		pods = append(pods, podOf(fmt.Sprintf("pod-%02d", i), option))
	}
	return append(pods, more...)
}

// least is a policy with a smallest number of pods that one may be taken from.
func (p Policy) least(n int32) Policy {
	p.MinReplicas = n
	return p
}

// only is a policy by which pods are replaced for a change of memory alone.
func (p Policy) only(lower bool) Policy {
	p.Requirements = []scale.EvictionRequirement{{Resources: []scale.Resource{scale.Memory}, Lower: lower}}
	return p
}

// in is a policy for so many replicas, with a working webhook.
func in(update Update, replicas int32) Policy {
	return Policy{Update: update, NewPodsAreSized: true, Replicas: replicas, Now: now}
}

func lines(verb, prefix string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("%s %s-%02d", verb, prefix, i))
	}
	return out
}

var rounds = map[string]struct {
	pods    []Pod
	leaving int
	policy  Policy
	// want has one line for each action: the verb, the pod, and why.
	want []string
}{
	"fewer pods than there must be stay": {pods: many(2, small), policy: in(Recreate, 2).least(3), want: []string{
		"wait pod-00: vertical.update is Recreate; there are fewer pods than vertical.minReplicas, 3",
		"wait pod-01: vertical.update is Recreate; there are fewer pods than vertical.minReplicas, 3",
	}},
	"as many as there must be are enough":           {pods: many(1, small, podOf("x"), podOf("y")), policy: in(Recreate, 3).least(3), want: []string{"evict pod-00: vertical.update is Recreate"}},
	"and a resize that restarts nothing needs none": {pods: many(1, small), policy: in(InPlaceOrRecreate, 1).least(3), want: []string{"resize pod-00"}},
	"but one that restarts a container does": {pods: []Pod{podOf("a", small, restarts)}, policy: in(InPlace, 1).least(2), want: []string{
		"wait a: there are fewer pods than vertical.minReplicas, 2",
	}},
	"a change that meets the requirements": {pods: []Pod{podOf("a", more)}, policy: in(Recreate, 1).only(false), want: []string{"evict a: vertical.update is Recreate"}},
	"one that does not": {pods: []Pod{podOf("a", more)}, policy: in(Recreate, 1).only(true), want: []string{
		"wait a: vertical.update is Recreate; vertical.evictionRequirements do not let it be replaced for this change",
	}},
	"requirements hold for resizes that got stuck": {pods: []Pod{podOf("a", infeasible)}, policy: in(InPlaceOrRecreate, 1).only(false), want: []string{
		"wait a: its node can never give it this size; vertical.evictionRequirements do not let it be replaced for this change",
	}},
	"and not for resizes":                      {pods: []Pod{podOf("a", small)}, policy: in(InPlaceOrRecreate, 1).only(true), want: []string{"resize a"}},
	"pods as wanted are left alone":            {pods: []Pod{podOf("a"), podOf("b")}, policy: in(InPlaceOrRecreate, 2)},
	"all pods grow at once":                    {pods: many(25, small), policy: in(InPlaceOrRecreate, 25), want: lines("resize", "pod", 25)},
	"growing does not wait for others":         {pods: many(2, small, podOf("x", moving), podOf("y", unready)), policy: in(InPlace, 4), want: lines("resize", "pod", 2)},
	"one of few pods is made smaller":          {pods: many(3, large), policy: in(InPlaceOrRecreate, 3), want: []string{"resize pod-00"}},
	"a tenth of many is":                       {pods: many(25, large), policy: in(InPlaceOrRecreate, 25), want: lines("resize", "pod", 2)},
	"a resize in progress counts":              {pods: many(19, large, podOf("x", moving)), policy: in(InPlaceOrRecreate, 20), want: lines("resize", "pod", 1)},
	"resizes in progress fill the round":       {pods: many(2, large, podOf("x", moving)), policy: in(InPlaceOrRecreate, 3)},
	"more of one and less of another":          {pods: many(2, mixed), policy: in(InPlace, 2), want: lines("grow", "pod", 2)},
	"a pod that is starting keeps what it has": {pods: many(2, large, podOf("z", large, unready, young)), policy: in(InPlace, 3), want: []string{"resize pod-00"}},
	"but may get more":                         {pods: []Pod{podOf("z", small, unready, young)}, policy: in(InPlace, 1), want: []string{"resize z"}},
	"a pod that is not ready comes first":      {pods: many(2, large, podOf("z", large, unready)), policy: in(InPlace, 3), want: []string{"resize z"}},
	"an empty update is InPlaceOrRecreate":     {pods: many(1, small), policy: in("", 1), want: []string{"resize pod-00"}},
	"Initial touches no running pod":           {pods: many(3, small, podOf("x", infeasible)), policy: in(Initial, 4)},

	"no pod is served twice while another waits for its first turn": {
		pods: []Pod{podOf("a", large, served(time.Minute)), podOf("b", large)}, policy: in(InPlace, 2), want: []string{"resize b"},
	},
	"nor three times while it waits for its second": {
		pods: []Pod{podOf("a", large, served(time.Minute)), podOf("b", large, served(time.Hour))}, policy: in(InPlace, 2), want: []string{"resize b"},
	},

	"a deferred resize is waited for": {
		pods: []Pod{podOf("a", resizing(scale.ResizeDeferred, time.Minute))}, policy: in(InPlaceOrRecreate, 1),
		want: []string{"wait a: its node has no room for its new size yet"},
	},
	"but not forever": {
		pods: []Pod{podOf("a", resizing(scale.ResizeDeferred, Patience))}, policy: in(InPlaceOrRecreate, 1),
		want: []string{"evict a: its node had no room for 5m0s"},
	},
	"a deferred resize does not hold up the rest": {
		pods: many(2, large, podOf("a", resizing(scale.ResizeDeferred, time.Minute))), policy: in(InPlaceOrRecreate, 3),
		want: []string{"wait a: its node has no room for its new size yet", "resize pod-00"},
	},
	"an infeasible resize ends in an eviction": {
		pods: []Pod{podOf("a", infeasible), podOf("b")}, policy: in(InPlaceOrRecreate, 2), want: []string{"evict a: its node can never give it this size"},
	},
	"InPlace never evicts": {
		pods: []Pod{podOf("a", infeasible)}, policy: in(InPlace, 1),
		want: []string{"wait a: its node can never give it this size; vertical.update InPlace does not replace pods"},
	},
	"without the webhook an eviction would be for nothing": {
		pods: []Pod{podOf("a", infeasible)}, policy: Policy{Update: InPlaceOrRecreate, Replicas: 1, Now: now},
		want: []string{"wait a: its node can never give it this size; the pod webhook is off, so a new pod would come back at its old size"},
	},
	"a pod that could not have its last size may get the next": {
		pods: []Pod{podOf("a", small, infeasible)}, policy: in(InPlaceOrRecreate, 1), want: []string{"resize a"},
	},
	"a kubelet that keeps failing": {
		pods: []Pod{podOf("a", resizing(scale.ResizeInProgress, Patience), func(p *Pod) { p.Failing = true })}, policy: in(InPlaceOrRecreate, 1),
		want: []string{"evict a: its node failed to resize it for 5m0s"},
	},
	"a resize that would be refused": {
		pods: []Pod{podOf("a", small, func(p *Pod) { p.Refused = "it cannot" })}, policy: in(InPlaceOrRecreate, 1), want: []string{"evict a: it cannot"},
	},

	"Recreate evicts one pod in a round": {
		pods: many(3, small), policy: in(Recreate, 3), want: []string{
			"evict pod-00: vertical.update is Recreate",
			"wait pod-01: vertical.update is Recreate; another pod goes first",
			"wait pod-02: vertical.update is Recreate; another pod goes first",
		},
	},
	"no ready pod goes while another is not ready": {
		pods: many(1, small, podOf("x", unready)), policy: in(Recreate, 2),
		want: []string{"wait pod-00: vertical.update is Recreate; not all pods of the workload are ready"},
	},
	"nor while one is missing": {
		pods: many(1, small), policy: in(Recreate, 2), want: []string{"wait pod-00: vertical.update is Recreate; not all pods of the workload are ready"},
	},
	"nor while one is on its way out": {
		pods: many(1, small), leaving: 1, policy: in(Recreate, 1),
		want: []string{"wait pod-00: vertical.update is Recreate; not all pods of the workload are ready"},
	},
	"a pod that is not ready goes though others are not either": {
		pods: []Pod{podOf("a", small, unready), podOf("b", small, unready)}, policy: in(Recreate, 2),
		want: []string{"evict a: vertical.update is Recreate", "wait b: vertical.update is Recreate; another pod goes first"},
	},
	"but not while its predecessor is still starting": {
		pods: []Pod{podOf("a", unready, young), podOf("b", small, unready)}, policy: in(Recreate, 2),
		want: []string{"wait b: vertical.update is Recreate; a new pod of the workload is not ready yet"},
	},
	"a young pod is not replaced": {
		pods: []Pod{podOf("a", small, young)}, policy: in(Recreate, 1),
		want: []string{"wait a: vertical.update is Recreate; it is not replaced in its first 10m0s"},
	},

	"what restarts a container happens to one pod": {
		pods: []Pod{podOf("a", small, restarts), podOf("b", small, restarts)}, policy: in(InPlace, 2),
		want: []string{"resize a: restarts a container, as its resizePolicy says", "wait b: another pod goes first"},
	},
	"a restart waits until all others are ready": {
		pods: []Pod{podOf("a", small, restarts), podOf("b", unready)}, policy: in(InPlace, 2), want: []string{"wait a: not all pods of the workload are ready"},
	},
	"only what is taken away restarts it": {
		pods: []Pod{podOf("a", mixed, func(p *Pod) { p.Restarts = true })}, policy: in(InPlace, 1), want: []string{"grow a"},
	},
}

func told(pods []Pod, actions []Action) []string {
	var out []string
	for _, a := range actions {
		line := [...]string{Resize: "resize ", Grow: "grow ", Evict: "evict ", Wait: "wait "}[a.Verb] + pods[a.Pod].Name
		if a.Why != "" {
			line += ": " + a.Why
		}
		out = append(out, line)
	}
	return out
}

func TestRound(t *testing.T) {
	for name, tc := range rounds {
		t.Run(name, func(t *testing.T) {
			got := told(tc.pods, Round(nil, tc.pods, tc.leaving, tc.policy))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("the round (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOrderOfThePodsDoesNotMatter: a cache lists pods in any order.
func TestOrderOfThePodsDoesNotMatter(t *testing.T) {
	pods := many(25, large, podOf("x", large, unready), podOf("y", infeasible))
	before := told(pods, Round(nil, pods, 0, in(InPlaceOrRecreate, 27)))
	slices.Reverse(pods)
	if diff := cmp.Diff(before, told(pods, Round(nil, pods, 0, in(InPlaceOrRecreate, 27)))); diff != "" {
		t.Errorf("the other way round (-before +after):\n%s", diff)
	}
}

// TestEveryPodHasItsTurn: however the desired size moves between rounds, no pod
// is made smaller a second time before each has been made smaller once.
func TestEveryPodHasItsTurn(t *testing.T) {
	pods, turns := many(40, large), make([]int, 40)
	for n := range 10 {
		for _, a := range Round(nil, pods, 0, Policy{Update: InPlace, Replicas: 40, Now: now.Add(time.Duration(n) * time.Minute)}) {
			turns[a.Pod]++
			pods[a.Pod].ServedAt = now.Add(time.Duration(n) * time.Minute)
		}
	}
	if slices.Max(turns) != 1 || slices.Min(turns) != 1 {
		t.Errorf("after ten rounds the pods had %v turns", turns)
	}
}

// BenchmarkRound plans a round of 1,000 pods that all grow, and one of as many
// that all shrink.
func BenchmarkRound(b *testing.B) {
	for name, option := range map[string]func(*Pod){"grow": small, "shrink": large} {
		b.Run(name, func(b *testing.B) {
			pods := many(1000, option)
			var actions []Action
			for b.Loop() {
				actions = Round(actions[:0], pods, 0, in(InPlaceOrRecreate, 1000))
			}
		})
	}
}
