package replay

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// TestAQuotaHoldsForEveryPolicy: a demand of 13 cores has room for six pods of a core,
// by their number, their cpu or their memory. The recommended policy knows it and says
// so, and whoever does not is refused the rest.
func TestAQuotaHoldsForEveryPolicy(t *testing.T) {
	t.Parallel()
	const gi = scale.Thousand << 30
	for name, allowed := range map[string]sim.Namespace{"pods": {Pods: 6}, "cpu": {CPU: 6500}, "memory": {Memory: 6 * gi}} {
		t.Run(name, func(t *testing.T) {
			p := usual()
			p.Namespace = allowed
			results := run(t, newReplay(t, waves(), p), true, named(t, "hpa:60")[0], recommended(t))
			for _, r := range results {
				most := int32(0)
				for _, m := range r.Timeline {
					most = max(most, m.Ready)
					if cpu := float64(m.Ready) * m.CPU; name == "cpu" && cpu > 6.5 {
						t.Fatalf("%s has %g cores at %s", r.Policy, cpu, m.At)
					}
				}
				if most > 6 && name != "cpu" || most < 3 {
					t.Errorf("%s has up to %d pods, want 6", r.Policy, most)
				}
			}
			if results[0].Score.UnservedPercent < 10 {
				t.Errorf("only %g %% of what 13 cores could do is not done by 6", results[0].Score.UnservedPercent)
			}
			if !slices.ContainsFunc(results[1].Timeline, func(m Moment) bool { return m.LimitedBy == scale.Quota }) {
				t.Error("no decision says that the quota limits it")
			}
		})
	}
}

// TestALimitRangeHoldsForEveryPolicy: the recommended policy gives pods no more than is
// allowed, and orders more of them instead.
func TestALimitRangeHoldsForEveryPolicy(t *testing.T) {
	p := usual()
	wide := run(t, newReplay(t, waves(), p), true, recommended(t))[0]
	p.Namespace.MostCPU = 1500
	bound := run(t, newReplay(t, waves(), p), true, recommended(t))[0]
	if largest(wide) <= 1.5 {
		t.Fatalf("pods grow to %g where nothing bounds them: the test shows nothing", largest(wide))
	}
	if got := largest(bound); got > 1.5 {
		t.Errorf("a pod of %g is decided, and would be refused", got)
	}
	if bound.Score.UnservedPercent > wide.Score.UnservedPercent+1 {
		t.Errorf("%.2f %% was not served, without a LimitRange %.2f %%", bound.Score.UnservedPercent, wide.Score.UnservedPercent)
	}
}

// TestPodsThatNoNamespaceAllows are refused before anything is replayed.
func TestPodsThatNoNamespaceAllows(t *testing.T) {
	for words, allowed := range map[string]sim.Namespace{
		"must have room for one pod": {CPU: 500}, "must allow the pods as they are": {MostCPU: 999},
		"Namespace.Pods, Namespace.CPU and Namespace.Memory must not be negative": {Pods: -1},
		"Namespace.MostCPU and Namespace.MostMemory must not be negative":         {MostMemory: -1},
	} {
		t.Run(words, func(t *testing.T) {
			p := usual()
			p.Namespace = allowed
			if _, err := New(waves(), p); err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("error %v", err)
			}
		})
	}
}
