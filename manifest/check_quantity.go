package manifest

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// watermarks is the name that low and high go by where quantities are counted.
const watermarks = "low and high"

// given are the names of the quantities that a metric has.
func (m Metric) given() []string {
	var out []string
	if m.AverageUtilization != nil {
		out = append(out, "averageUtilization")
	}
	if m.AverageValue != nil {
		out = append(out, "averageValue")
	}
	if m.Value != nil {
		out = append(out, "value")
	}
	if m.hasMarks() {
		out = append(out, watermarks)
	}
	return out
}

// quantity checks that a metric has exactly one quantity, of a type that its
// kind can have.
func (c *checker) quantity(at fault.Path, m Metric, rule metricRule) {
	given := m.given()
	switch {
	case len(given) > 1:
		c.faults.Add(at, "gives %s: a quantity implies the type of the target, so keep one of them", strings.Join(given, " and "))
	case len(given) == 0 && len(m.faults) == 0 && !c.needsNone(m):
		c.faults.Add(at, "needs a target: give it %s%s", strings.Join(rule.quantities, " or "), c.orMarks())
	case len(given) == 1 && given[0] != watermarks && !slices.Contains(rule.quantities, given[0]):
		c.faults.Add(at.Field(given[0]), "cannot be the target of a metric of type %s, because %s: use %s", m.Type, rule.why, strings.Join(rule.quantities, " or "))
	}
	if u := m.AverageUtilization; u != nil && *u < 1 {
		c.faults.Add(at.Field("averageUtilization"), "must be at least 1 percent, got %d", *u)
	}
	c.amount(at.Field("averageValue"), m.AverageValue)
	c.amount(at.Field("value"), m.Value)
	c.marks(at, m, rule)
}

// needsNone tells whether something stands in the place of a metric's quantity: measured
// growth, the formula that it is there for, or the scaler's own.
func (c *checker) needsNone(m Metric) bool {
	if c.kind != WorkloadAutoscaler {
		return false
	}
	return c.Learn != nil && c.Learn.Headroom != nil && m.ofResource() || c.Formula != nil && m.Alias != "" || m.GRPC != nil
}

// orMarks offers watermarks where the kind has them.
func (c *checker) orMarks() string {
	if c.kind == WorkloadAutoscaler {
		return ", or " + watermarks
	}
	return ""
}

// amount checks a quantity that a value is compared with.
func (c *checker) amount(at fault.Path, q *resource.Quantity) {
	if q == nil {
		return
	}
	_, err := scale.ParseAmount(q.String())
	switch {
	case err != nil:
		c.faults.Add(at, "%s %v", shown(q.String()), err)
	case q.Sign() <= 0:
		c.faults.Add(at, "must be above 0, got %s", q)
	}
}

// maxPercent is more than anyone can mean by a percentage of requests.
const maxPercent = 10_000

func (c *checker) marks(at fault.Path, m Metric, rule metricRule) {
	if !m.hasMarks() {
		if m.Marks != "" {
			c.faults.Add(at.Field("marks"), "says what low and high are compared with, and neither is given: remove it")
		}
		return
	}
	if c.kind != WorkloadAutoscaler {
		c.faults.Add(at.Field(m.oneMark()), "is a watermark, which a %s does not have: make the kind %s, or use %s", c.kind, WorkloadAutoscaler,
			strings.Join(rule.quantities, " or "))
	}
	if !slices.Contains(rule.marks, m.marksType()) {
		c.faults.Add(at.Field("marks"), "must be %s for a metric of type %s, got %q", joined(rule.marks), m.Type, shown(string(m.Marks)))
	}
	c.amount(at.Field("low"), m.Low)
	c.amount(at.Field("high"), m.High)
	if m.marksType() == v1alpha1.UtilizationTarget {
		c.percent(at.Field("low"), m.Low)
		c.percent(at.Field("high"), m.High)
	}
	if m.Low != nil && m.High != nil && m.Low.Cmp(*m.High) > 0 {
		c.faults.Add(at.Field("low"), "must not be above high: %s > %s", m.Low, m.High)
	}
}

// oneMark is a watermark's field that is there, for a fault to point at.
func (m Metric) oneMark() string {
	if m.Low == nil {
		return "high"
	}
	return "low"
}

// percent refuses marks that look like cores or bytes: taken for a share of
// the requests they would be absurd.
func (c *checker) percent(at fault.Path, q *resource.Quantity) {
	if q == nil || q.Sign() <= 0 {
		return
	}
	if q.Cmp(*resource.NewQuantity(1, resource.DecimalSI)) < 0 || q.Cmp(*resource.NewQuantity(maxPercent, resource.DecimalSI)) > 0 {
		c.faults.Add(at, "must be a percentage of the request, such as 70, got %s: for usage per pod say marks: AverageValue", q)
	}
}

func joined(types []v1alpha1.TargetType) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = string(t)
	}
	return strings.Join(words, " or ")
}
