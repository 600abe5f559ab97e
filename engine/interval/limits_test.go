package interval

import (
	"testing"

	"github.com/tidemark/tidemark/scale"
)

// cores and gibi make the tables below readable.
func cores(milli int64) scale.Resources {
	return scale.Resources{}.With(scale.CPU, scale.Amount(milli))
}

func gibi(r scale.Resources, gi int64) scale.Resources {
	return r.With(scale.Memory, scale.Thousand.Times(gi<<30))
}

// fiveRows is the example of HVPA-EP-0001, «Effective Scaling Interval».
func fiveRows(t *testing.T) Rules {
	t.Helper()
	var ranges []Range
	for i := range int32(5) {
		ranges = append(ranges, Range{MaxReplicas: i + 1, MaxResources: gibi(cores(500<<i), 2<<i)})
	}
	table, faults := Compile(1, ranges, scale.Shares{})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	sized := Resource{Sized: true, Counted: true}
	return Rules{Table: table, Default: Container{Resources: [2]Resource{sized, sized}}}
}

// TestLimitsGap: HVPA-EP-0001, «LimitsRequestsGapScaleParams»: the gap is made
// for the total and divided equally among the replicas (reading H9).
func TestLimitsGap(t *testing.T) {
	for name, c := range map[string]struct {
		gap      scale.Share
		from     int32
		request  int64
		total    int64
		n        int32
		wantEach int64
		wantMax  int64
	}{
		"a value is shared by the replicas":      {scale.Share{Value: 600}, 3, 1000, 4500, 3, 1500, 1700},
		"a percentage is one of the total":       {scale.Share{Percent: 50}, 3, 1000, 4500, 3, 1500, 2250},
		"the larger counts: the value":           {scale.Share{Value: 3000, Percent: 50}, 3, 1000, 4500, 3, 1500, 2500},
		"the larger counts: the percentage":      {scale.Share{Value: 600, Percent: 50}, 3, 1000, 4500, 3, 1500, 2250},
		"the gap is for the new count":           {scale.Share{Value: 600}, 2, 1000, 4500, 3, 1500, 1700},
		"a kept request has the gap of the need": {scale.Share{Percent: 50}, 2, 1000, 2100, 3, 1000, 1350},
		"limits round up":                        {scale.Share{Value: 100}, 3, 1000, 4500, 3, 1500, 1534},
	} {
		t.Run(name, func(t *testing.T) {
			r := fiveRows(t)
			r.Default.Gap[scale.CPU] = c.gap
			from := sizeOf(c.from, onlyCPU, func(scale.Resource) scale.Amount { return scale.Amount(c.request) })
			from.Containers[0].Limits = cores(9000)
			got := r.Sized(from, Totals{cores(c.total)}, c.n).Size.Containers[0]
			if want := (scale.Container{Name: "app", Requests: cores(c.wantEach), Limits: cores(c.wantMax)}); got != want {
				t.Errorf("%s: got %v, want %v", name, got, want)
			}
		})
	}
}

// TestLimitsKeepTheirProportion where no gap is stated, and never fall below
// the request.
func TestLimitsKeepTheirProportion(t *testing.T) {
	for name, c := range map[string]struct{ request, limit, total, want int64 }{
		"twice the request":      {1000, 2000, 4500, 3000},
		"equal to the request":   {1000, 1000, 4500, 1500},
		"rounded up":             {1000, 1333, 4500, 2000},
		"shrinking":              {2000, 3000, 4500, 2250},
		"a limit below the need": {1000, 500, 4500, 1500},
	} {
		t.Run(name, func(t *testing.T) {
			r := fiveRows(t)
			from := sizeOf(3, onlyCPU, func(scale.Resource) scale.Amount { return scale.Amount(c.request) })
			from.Containers[0].Limits = cores(c.limit)
			got, _ := r.Sized(from, Totals{cores(c.total)}, 3).Size.Containers[0].Limits.Get(scale.CPU)
			if got != scale.Amount(c.want) {
				t.Errorf("%s: limit %d, want %d", name, got, c.want)
			}
		})
	}
}

// TestNoLimitStaysNone: without a gap a container that has no limit gets none.
func TestNoLimitStaysNone(t *testing.T) {
	r := fiveRows(t)
	from := sizeOf(3, onlyCPU, func(scale.Resource) scale.Amount { return 1000 })
	if got := r.Sized(from, Totals{cores(4500)}, 3).Size.Containers[0].Limits; !got.Empty() {
		t.Errorf("got limits %v", got)
	}
}
