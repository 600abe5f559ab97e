package capacity

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/scale"
)

func cpu(milli scale.Amount) scale.Resources { return scale.Resources{}.With(scale.CPU, milli) }

// pod is one of an app and a proxy, with these requests and limits for cpu.
func pod(count int32, amounts ...scale.Amount) scale.Size {
	return scale.Size{Replicas: count, Containers: []scale.Container{
		{Name: "app", Requests: cpu(amounts[0]), Limits: cpu(amounts[1])}, {Name: "proxy", Requests: cpu(amounts[2]), Limits: cpu(amounts[3])},
	}}
}

func TestFit(t *testing.T) {
	from := pod(4, 1000, 2000, 200, 200)
	for name, c := range map[string]struct {
		there    scale.Capacity
		to, want scale.Size
		reasons  []scale.Reason
	}{
		"nothing is known": {scale.Capacity{}, pod(4, 3000, 6000, 600, 600), pod(4, 3000, 6000, 600, 600), nil},
		// 2400m more are asked for and 1200m can be had: half of each container's growth.
		"containers share what a node has": {
			scale.Capacity{LargestNode: cpu(2400)}, pod(4, 3000, 6000, 600, 600), pod(4, 2000, 4000, 400, 400), []scale.Reason{scale.NodeSize},
		},
		// The proxy gives up 100m, so that the app may grow to 1100m on a node that is full.
		"one that shrinks makes room": {
			scale.Capacity{LargestNode: cpu(1200)}, pod(4, 1400, 2800, 100, 100), pod(4, 1100, 2200, 100, 100), []scale.Reason{scale.NodeSize},
		},
		// Of the app's limit, 6000m, 3000m are allowed: a quarter of its growth, and so of its request's.
		"the limit counts": {
			scale.Capacity{LimitRange: scale.AllowedRange{Max: cpu(3000)}}, pod(4, 3000, 6000, 200, 200), pod(4, 1500, 3000, 200, 200),
			[]scale.Reason{scale.LimitRange},
		},
		"a whole pod": {
			scale.Capacity{LimitRange: scale.AllowedRange{PodMax: cpu(4200)}}, pod(4, 3000, 6000, 200, 200), pod(4, 2000, 4000, 200, 200),
			[]scale.Reason{scale.LimitRange},
		},
		// Four pods of 4000m more in their limits, and 8000m left: half.
		"a quota of limits": {
			scale.Capacity{Quota: scale.QuotaRoom{Limits: cpu(8000)}}, pod(4, 3000, 6000, 200, 200), pod(4, 2000, 4000, 200, 200),
			[]scale.Reason{scale.Quota},
		},
		"a quota that was lowered": {
			scale.Capacity{Quota: scale.QuotaRoom{Requests: cpu(-5000)}}, pod(4, 3000, 6000, 200, 200), from, []scale.Reason{scale.Quota},
		},
		"a node of no size": {
			scale.Capacity{LargestNode: cpu(-1)}, pod(4, 3000, 6000, 200, 200), pod(4, 3000, 6000, 200, 200), nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, reasons := c.to, []scale.Reason(nil)
			for _, cut := range Fit(&c.there, Pods{Size: &from, There: 4}, c.to) {
				got, reasons = cut.Size, append(reasons, cut.Reason)
			}
			if !got.Equal(c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if diff := cmp.Diff(c.reasons, reasons); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMost(t *testing.T) {
	from := pod(4, 1000, 2000, 200, 200)
	pods := func(n int32) *int32 { return &n }
	for name, c := range map[string]struct {
		quota scale.QuotaRoom
		there int32
		to    scale.Size
		want  Bound
		none  bool
	}{
		"no quota":              {to: pod(9, 1000, 2000, 200, 200), there: 4, none: true},
		"pods":                  {scale.QuotaRoom{Pods: pods(3)}, 4, pod(9, 1000, 2000, 200, 200), Bound{7, "pods"}, false},
		"cpu of all containers": {scale.QuotaRoom{Pods: pods(3), Requests: cpu(2400)}, 4, pod(9, 1000, 2000, 200, 200), Bound{6, "cpu"}, false},
		"limits":                {scale.QuotaRoom{Limits: cpu(2300)}, 4, pod(9, 1000, 2000, 200, 200), Bound{5, "cpu limit"}, false},
		// Four pods grow by 1000m each, which leaves 4400m for pods of 2200m.
		"pods that grow come first": {scale.QuotaRoom{Requests: cpu(8400)}, 4, pod(9, 2000, 4000, 200, 200), Bound{6, "cpu"}, false},
		"pods still to come":        {scale.QuotaRoom{Pods: pods(1)}, 2, pod(9, 1000, 2000, 200, 200), Bound{4, "pods"}, false},
		"less than nothing":         {scale.QuotaRoom{Pods: pods(-7)}, 4, pod(9, 1000, 2000, 200, 200), Bound{4, "pods"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, bounded := Most(&scale.Capacity{Quota: c.quota}, Pods{Size: &from, There: c.there}, &c.to)
			if bounded == c.none || bounded && got != c.want {
				t.Errorf("got %+v (%t), want %+v", got, bounded, c.want)
			}
		})
	}
}
