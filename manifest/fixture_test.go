package manifest

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/fault"
)

// valid returns an autoscaler that nothing is wrong with.
func valid() Autoscaler {
	return Autoscaler{
		Target:      Reference("apps/v1", "Deployment", "web"),
		MaxReplicas: 10,
		Metrics:     []Metric{Pods("tps", AverageValue("10"))},
	}
}

// with returns the valid autoscaler with something changed.
func with(change func(*Autoscaler)) Autoscaler {
	a := valid()
	change(&a)
	return a
}

func withMetrics(metrics ...Metric) Autoscaler {
	return with(func(a *Autoscaler) { a.Metrics = metrics })
}

func quantity(text string) *resource.Quantity { return new(resource.MustParse(text)) }

func paths(err error) []string {
	var out []string
	for _, f := range fault.Of(err) {
		out = append(out, string(f.Path))
	}
	return out
}
