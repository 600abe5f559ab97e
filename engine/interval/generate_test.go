package interval

import (
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/scale"
)

// everyExtrapolation lists the ways to divide a range.
var everyExtrapolation = []Extrapolation{Linear, HorizontalOnly, Logarithmic, Exponential}

// growing lists the ways in which pods may change their size.
var growing = []Extrapolation{Linear, Logarithmic, Exponential}

// spec is a drawn policy: what a table is compiled from, and the table.
type spec struct {
	first   int32
	ranges  []Range
	overlap scale.Shares
	rules   Rules
}

// specs draws valid ranges for one resource or for both, with an overlap.
func specs(resources []scale.Resource, by []Extrapolation) *rapid.Generator[spec] {
	return rapid.Custom(func(t *rapid.T) spec {
		s := spec{first: rapid.Int32Range(1, 3).Draw(t, "first")}
		last, lower := s.first-1, scale.Resources{}
		for range rapid.IntRange(1, 4).Draw(t, "ranges") {
			before := last
			last += rapid.Int32Range(1, 4).Draw(t, "counts")
			rg := Range{MaxReplicas: last, Extrapolation: rapid.SampledFrom(by).Draw(t, "extrapolation")}
			if before < s.first && rg.Extrapolation != HorizontalOnly {
				rg.Extrapolation = Linear
			}
			for _, res := range resources {
				perPod := perPodAbove(t, res, lower, before+1)
				rg.MaxResources = rg.MaxResources.With(res, perPod)
				lower = lower.With(res, perPod.Times(int64(last)))
			}
			s.ranges = append(s.ranges, rg)
		}
		for _, res := range resources {
			s.overlap[res] = scale.Share{Value: rapid.SampledFrom([]scale.Amount{0, 0, 1, 5000}).Draw(t, "value"), Percent: rapid.Int32Range(0, 110).Draw(t, "percent")}
		}
		var faults []Fault
		if s.rules.Table, faults = Compile(s.first, s.ranges, s.overlap); len(faults) > 0 {
			t.Fatalf("%+v is refused: %v", s.ranges, faults)
		}
		for _, res := range resources {
			s.rules.Default.Resources[res] = Resource{Sized: true, Counted: true}
		}
		return s
	})
}

// perPodAbove draws a pod so large that a range which starts with this count
// leaves a larger total than the range before, whatever its extrapolation.
func perPodAbove(t *rapid.T, res scale.Resource, lower scale.Resources, count int32) scale.Amount {
	least, _ := lower.Get(res)
	units := int64(least/unitOf(res))/int64(count) + 1
	return unitOf(res).Times(units + rapid.Int64Range(0, 5000).Draw(t, "pod"))
}

// unitOf is the finest step of a request: a millicore, a byte.
func unitOf(res scale.Resource) scale.Amount {
	if res == scale.Memory {
		return scale.Thousand
	}
	return 1
}

// top is the largest total that has an interval.
func (s *spec) top(res scale.Resource) scale.Amount {
	return s.rules.Table.Rows[len(s.rules.Table.Rows)-1].Edges[res].Max
}

// total draws a total, up to somewhat more than has an interval.
func (s *spec) total(t *rapid.T, res scale.Resource) scale.Amount {
	most := int64(s.top(res)/unitOf(res)) * 5 / 4
	edge := rapid.SampledFrom(s.rules.Table.Rows).Draw(t, "row").Edges[res].Max
	near := edge.Add(unitOf(res).Times(2)) - unitOf(res).Times(rapid.Int64Range(0, 4).Draw(t, "below"))
	if rapid.IntRange(0, 2).Draw(t, "near") == 0 && near > 0 {
		return near
	}
	return unitOf(res).Times(rapid.Int64Range(1, most+1).Draw(t, "total"))
}

// sizeOf makes a size of one container for everything in resources.
func sizeOf(n int32, resources []scale.Resource, request func(scale.Resource) scale.Amount) scale.Size {
	c := scale.Container{Name: "app"}
	for _, res := range resources {
		c.Requests = c.Requests.With(res, request(res))
	}
	return scale.Size{Replicas: n, Containers: []scale.Container{c}}
}

func requestOf(size scale.Size, res scale.Resource) scale.Amount {
	request, _ := size.Containers[0].Requests.Get(res)
	return request
}

func appliedOf(size scale.Size, res scale.Resource) scale.Amount {
	return requestOf(size, res).Times(int64(size.Replicas))
}

// restsAt decides again and again on the same totals until nothing changes.
func restsAt(t *rapid.T, r *Rules, from scale.Size, totals Totals) scale.Size {
	for range 3 * (len(r.Table.Rows) + 3) {
		next := r.Choose(from, totals).Size
		if next.Equal(from) {
			return from
		}
		from = next
	}
	t.Fatalf("%v never comes to rest at %v", from, totals)
	return from
}

var (
	onlyCPU = []scale.Resource{scale.CPU}
	both    = scale.EveryResource[:]
)
