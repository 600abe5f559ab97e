package policy

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/elastic"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// Prices that hold where nobody states others, by the price of a core-hour that pods
// request or use.
const (
	DefaultUnserved      = 50
	DefaultLate          = 5
	DefaultStartSeconds  = 30
	DefaultResizeSeconds = 6
	maxPrice             = 10_000
	maxPriceSeconds      = 86_400
	// untilPriced is the target, in percent, while nothing was measured.
	untilPriced = 90
)

// MetricsOf are the metrics of a spec. Where room is measured and no metric is
// stated, it is that of cpu.
func MetricsOf(spec *v1alpha1.WorkloadAutoscalerSpec) []v1alpha1.MetricSpec {
	if len(spec.Metrics) > 0 || spec.Learn == nil || spec.Learn.Headroom == nil {
		return spec.Metrics
	}
	return []v1alpha1.MetricSpec{{Type: v1alpha1.ResourceMetricType, Resource: &v1alpha1.ResourceMetric{Name: scale.CPU.String()}}}
}

// Priced tells whether room is weighed by prices: where it is measured and neither a
// risk nor bounds are stated, and where the metric of cpu alone decides.
func Priced(spec *v1alpha1.WorkloadAutoscalerSpec) bool {
	if spec.Learn == nil || spec.Learn.Headroom == nil {
		return false
	}
	h := spec.Learn.Headroom
	return h.Risk == nil && h.MinPercent == nil && h.MaxPercent == nil && headroomAlone(spec)
}

// headroomAlone tells whether the room of cpu is all that decides.
func headroomAlone(spec *v1alpha1.WorkloadAutoscalerSpec) bool {
	m := MetricsOf(spec)
	return len(m) == 1 && headroomOfCPU(&m[0]) && !sizedOtherwise(spec)
}

// sizedOtherwise tells whether someone else says how large pods are, or how many.
func sizedOtherwise(spec *v1alpha1.WorkloadAutoscalerSpec) bool {
	return spec.Intervals != nil || spec.Formula != nil || len(spec.Containers) > 0 || spec.Actuator == v1alpha1.ActuatorHPA
}

// ResizesForHeadroom tells whether pods get their room by their size.
func ResizesForHeadroom(spec *v1alpha1.WorkloadAutoscalerSpec) bool {
	if spec.Learn == nil || spec.Learn.Headroom == nil {
		return false
	}
	if r := spec.Learn.Headroom.Resize; r != nil {
		return r.Enabled == nil || *r.Enabled
	}
	return Priced(spec)
}

// measuresHeadroom tells whether a metric may do without a target.
func (c *compiler) measuresHeadroom() bool {
	return c.spec.Learn != nil && c.spec.Learn.Headroom != nil
}

// resizesForHeadroom tells whether pods get their room by their size.
func (c *compiler) resizesForHeadroom() bool { return ResizesForHeadroom(&c.spec) }

// headroomBounds checks the bounds of measured headroom.
func (c *compiler) headroomBounds(h *v1alpha1.Headroom) {
	if h == nil {
		return
	}
	least, most := int32(0), int32(maxHeadroomPercent)
	override(&least, h.MinPercent)
	override(&most, h.MaxPercent)
	if least < 0 || most < 1 || most > maxHeadroomPercent || least > most {
		c.faults.Add("learn.headroom.maxPercent", "must be between minPercent and %d, and minPercent not negative, got %d and %d", maxHeadroomPercent, least, most)
	}
}

// elastic compiles how pods get their room: by prices, or by being resized in place.
func (c *compiler) elastic() *elastic.Rules {
	if !c.measuresHeadroom() {
		return nil
	}
	h, priced := c.spec.Learn.Headroom, Priced(&c.spec)
	out := &elastic.Rules{Rigid: !c.resizesForHeadroom()}
	if !priced && h.Prices != nil {
		c.faults.Add("learn.headroom.prices", "need the metric of cpu alone, and neither a risk nor bounds of the room: remove them, or the prices")
	}
	if prices := c.prices("learn.headroom.prices", h.Prices); priced {
		out.Prices = prices
	} else if out.Rigid {
		return nil
	}
	const path = fault.Path("learn.headroom.resize")
	c.headroomSizes(path, h.Resize, out)
	if !priced && !headroomAlone(&c.spec) {
		m := MetricsOf(&c.spec)
		if len(m) != 1 || !headroomOfCPU(&m[0]) {
			c.faults.Add(path, "needs one metric, of cpu and without a target: the room it measures is what pods are resized to")
		}
		if sizedOtherwise(&c.spec) {
			c.faults.Add(path, "sizes the pods itself: remove intervals, containers, formula, and actuator HPA")
		}
	}
	return out
}

// headroomSizes compiles how large pods may be. Where no usual size is stated it is
// the template's, which only a decision knows.
func (c *compiler) headroomSizes(path fault.Path, s *v1alpha1.HeadroomResize, out *elastic.Rules) {
	if most, ok := c.adminAmount(c.admin.MaximumResources, scale.CPU); ok {
		out.Max = most
	}
	if s == nil || s.Usual == nil {
		if s != nil && (s.Min != nil || s.Max != nil) {
			c.faults.Add(path.Field("usual"), "is required beside min and max: what a pod requests while nothing is sudden")
		}
		if out.Prices == nil {
			c.faults.Add(path.Field("usual"), "is required with a risk or bounds of the room: what a pod requests while nothing is sudden")
		}
		return
	}
	most := out.Max
	out.Usual = c.amount(path.Field("usual"), *s.Usual)
	out.Min, out.Max = out.Usual.Share(1, 2), out.Usual.Times(4)
	if s.Min != nil {
		out.Min = c.amount(path.Field("min"), *s.Min)
	}
	if s.Max != nil {
		out.Max = c.amount(path.Field("max"), *s.Max)
	}
	if out.Usual <= 0 || out.Min <= 0 || out.Min > out.Usual || out.Usual > out.Max {
		c.faults.Add(path, "needs 0 < min <= usual <= max, got %s, %s and %s", out.Min, out.Usual, out.Max)
	}
	if most > 0 {
		out.Max = min(out.Max, most)
		out.Usual, out.Min = min(out.Usual, out.Max), min(out.Min, out.Max)
	}
	if out.Rigid {
		out.Min, out.Max = out.Usual, out.Usual
	}
}

// prices compiles what room is weighed with: what is stated, or else the
// administrator's, or else the usual prices.
func (c *compiler) prices(path fault.Path, stated *v1alpha1.Prices) *elastic.Prices {
	unserved, late, start, resize := int32(DefaultUnserved), int32(DefaultLate), int32(DefaultStartSeconds), int32(DefaultResizeSeconds)
	for _, of := range []struct {
		path   fault.Path
		prices *v1alpha1.Prices
	}{{"admin.prices", c.admin.Prices}, {path, stated}} {
		if of.prices == nil {
			continue
		}
		for _, one := range []struct {
			name        string
			into, from  *int32
			least, most int32
		}{
			{"unserved", &unserved, of.prices.Unserved, 1, maxPrice}, {"late", &late, of.prices.Late, 0, maxPrice},
			{"startSeconds", &start, of.prices.StartSeconds, 1, maxPriceSeconds}, {"resizeSeconds", &resize, of.prices.ResizeSeconds, 1, maxPriceSeconds},
		} {
			override(one.into, one.from)
			if *one.into < one.least || *one.into > one.most {
				c.faults.Add(of.path.Field(one.name), "must be between %d and %d, got %d", one.least, one.most, *one.into)
			}
		}
	}
	return &elastic.Prices{
		Unserved: int64(unserved) * int64(scale.Thousand), Late: int64(late) * int64(scale.Thousand),
		Start: scale.Amount(start) * scale.Thousand, Resize: scale.Amount(resize) * scale.Thousand,
	}
}

// headroomOfCPU tells whether a metric of cpu has no target of its own.
func headroomOfCPU(m *v1alpha1.MetricSpec) bool {
	switch {
	case m.Resource != nil:
		return m.Resource.Name == scale.CPU.String() && m.Resource.Target == nil && m.Resource.Watermarks == nil
	case m.ContainerResource != nil:
		return m.ContainerResource.Name == scale.CPU.String() && m.ContainerResource.Target == nil && m.ContainerResource.Watermarks == nil
	}
	return false
}
