package manifest

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// Goal is the quantity that a metric is held at. The functions below make one.
type Goal struct{ apply func(*Metric) }

func (g Goal) on(m Metric) Metric {
	if g.apply != nil {
		g.apply(&m)
	}
	return m
}

// Utilization holds usage at a percentage of the pods' requests.
func Utilization(percent int32) Goal {
	return Goal{func(m *Metric) { m.AverageUtilization = &percent }}
}

// AverageValue holds the average per pod at a quantity, such as "100".
func AverageValue(quantity string) Goal {
	return Goal{func(m *Metric) { m.AverageValue = m.parse("averageValue", quantity) }}
}

// Value holds the metric itself at a quantity, however many pods there are.
func Value(quantity string) Goal {
	return Goal{func(m *Metric) { m.Value = m.parse("value", quantity) }}
}

// Between keeps the metric between two watermarks. For resources they are
// percentages of the requests.
func Between(low, high string) Goal {
	return Goal{func(m *Metric) { m.Low, m.High = m.parse("low", low), m.parse("high", high) }}
}

// BetweenAverages keeps the average per pod between two watermarks.
func BetweenAverages(low, high string) Goal {
	return Goal{func(m *Metric) {
		Between(low, high).apply(m)
		m.Marks = "AverageValue"
	}}
}

// parse keeps the fault of a bad quantity until all faults are told. Our own
// parser goes first, because it is the one that bounds what it reads.
func (m *Metric) parse(field fault.Path, text string) *resource.Quantity {
	_, err := scale.ParseAmount(text)
	if err == nil {
		var q resource.Quantity
		if q, err = resource.ParseQuantity(text); err == nil {
			return &q
		}
		err = scale.ErrNotQuantity
	}
	// Clipping takes metrics that are copied apart from here on.
	m.faults = slices.Clip(m.faults)
	m.faults.Add(field, "%q %v", text, err)
	return nil
}
