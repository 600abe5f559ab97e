package capacity

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// amounts have nonsense among them: what says nothing must not do anything.
func amounts() *rapid.Generator[scale.Amount] {
	return rapid.OneOf(
		rapid.Map(rapid.Int64Range(0, 20), func(n int64) scale.Amount { return scale.Amount(n) * 1000 }),
		rapid.Map(rapid.Int64Range(0, 20_000), func(n int64) scale.Amount { return scale.Amount(n) }),
		rapid.SampledFrom([]scale.Amount{0, 1, -1, scale.MaxAmount, math.MinInt64}),
	)
}

func resources() *rapid.Generator[scale.Resources] {
	return rapid.Custom(func(t *rapid.T) (out scale.Resources) {
		for _, res := range scale.EveryResource {
			switch rapid.IntRange(0, 4).Draw(t, "states") {
			case 0:
			case 1:
				out = out.WithUnusable(res)
			default:
				out = out.With(res, amounts().Draw(t, "amount"))
			}
		}
		return out
	})
}

func capacities() *rapid.Generator[scale.Capacity] {
	return rapid.Custom(func(t *rapid.T) scale.Capacity {
		c := scale.Capacity{LargestNode: resources().Draw(t, "node")}
		c.Quota.Requests, c.Quota.Limits = resources().Draw(t, "requests"), resources().Draw(t, "limits")
		c.LimitRange.Min, c.LimitRange.Max = resources().Draw(t, "min"), resources().Draw(t, "max")
		c.LimitRange.PodMin, c.LimitRange.PodMax = resources().Draw(t, "least of a pod"), resources().Draw(t, "most of a pod")
		if rapid.Bool().Draw(t, "counted") {
			c.Quota.Pods = new(rapid.Int32Range(-3, 50).Draw(t, "pods"))
		}
		return c
	})
}

func sizes(containers int) *rapid.Generator[scale.Size] {
	return rapid.Custom(func(t *rapid.T) scale.Size {
		out := scale.Size{Replicas: rapid.Int32Range(0, 20).Draw(t, "replicas")}
		for range containers {
			out.Containers = append(out.Containers, scale.Container{Requests: resources().Draw(t, "request"), Limits: resources().Draw(t, "limit")})
		}
		return out
	})
}

// TestOnlyGrowthIsTakenBack: pods get no less than they have, unless less was asked for,
// and no more than was asked for, unless a LimitRange has a minimum.
func TestOnlyGrowthIsTakenBack(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 3).Draw(t, "containers")
		c, from, to := capacities().Draw(t, "capacity"), sizes(n).Draw(t, "from"), sizes(n).Draw(t, "to")
		p := Pods{Size: &from, There: rapid.Int32Range(0, 20).Draw(t, "there")}
		if most, bounded := Most(&c, p, &to); bounded && most.Count < from.Replicas {
			t.Fatalf("allows %d where there are %d", most.Count, from.Replicas)
		}
		cuts := Fit(&c, p, to)
		if len(cuts) == 0 {
			return
		}
		last := cuts[len(cuts)-1].Size
		if last.Replicas != to.Replicas {
			t.Fatalf("the size became one of %d pods", last.Replicas)
		}
		for i := range last.Containers {
			for _, res := range scale.EveryResource {
				had, wanted, has := request(&from, i, res), request(&to, i, res), request(&last, i, res)
				least, _ := c.LimitRange.Min.Usable(res)
				if has < min(had, wanted) || has > max(had, wanted, least) {
					t.Fatalf("%s of container %d: %d, between %d and %d", res, i, has, had, wanted)
				}
			}
		}
	})
}

// TestWhatIsWrittenCanBeHad: pods whose size changes are within what a LimitRange allows,
// and where they grow, within what some node and the quotas have.
func TestWhatIsWrittenCanBeHad(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3).Draw(t, "containers")
		c, from, to := capacities().Draw(t, "capacity"), sizes(n).Draw(t, "from"), sizes(n).Draw(t, "to")
		p := Pods{Size: &from, There: rapid.Int32Range(0, 20).Draw(t, "there")}
		written := to
		if cuts := Fit(&c, p, to); len(cuts) > 0 {
			written = cuts[len(cuts)-1].Size
		}
		if written.Equal(from.WithReplicas(written.Replicas)) {
			return
		}
		for _, res := range scale.EveryResource {
			for i := range written.Containers {
				if forbidden(&c.LimitRange, &written.Containers[i], res) {
					t.Fatalf("%s of container %d is not allowed", res, i)
				}
			}
			before, after := requests.sum(from.Containers, res), requests.sum(written.Containers, res)
			if most, known := c.LargestNode.Usable(res); known && most > 0 && after > max(most, before) && !raised(&c, &from, &written, res) {
				t.Fatalf("%d of %s is on no node: the largest has %d", after, res, most)
			}
		}
	})
}

// raised tells whether a minimum of a LimitRange made a container larger.
func raised(c *scale.Capacity, from, to *scale.Size, res scale.Resource) bool {
	least, bounded := c.LimitRange.Min.Usable(res)
	for i := range to.Containers {
		if bounded && request(to, i, res) >= least && request(from, i, res) < least {
			return true
		}
	}
	return false
}

func request(s *scale.Size, i int, res scale.Resource) scale.Amount {
	return requests.get(&s.Containers[i], res)
}
