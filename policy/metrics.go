package policy

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// source is what the five kinds of metrics have in common.
type source struct {
	kind       horizontal.Kind
	set        bool
	target     *v1alpha1.MetricTarget
	watermarks *v1alpha1.Watermarks
	// types are the target types the kind can have; the first is the default
	// of watermarks, where there is one that nobody could mistake.
	types     []scale.TargetType
	ambiguous bool
}

var (
	ofRequests = []scale.TargetType{scale.Utilization, scale.AverageValue}
	ofPods     = []scale.TargetType{scale.AverageValue}
	ofTotals   = []scale.TargetType{scale.Value, scale.AverageValue}
)

var metricTypes = []v1alpha1.MetricType{
	v1alpha1.ResourceMetricType, v1alpha1.ContainerResourceMetricType, v1alpha1.PodsMetricType,
	v1alpha1.ObjectMetricType, v1alpha1.ExternalMetricType,
}

// fieldOf is the field that holds a metric type's source.
func fieldOf(t v1alpha1.MetricType) string { return strings.ToLower(string(t[:1])) + string(t[1:]) }

func sources(m *v1alpha1.MetricSpec) map[v1alpha1.MetricType]source {
	all := map[v1alpha1.MetricType]source{}
	if s := m.Resource; s != nil {
		all[v1alpha1.ResourceMetricType] = source{horizontal.Resource, true, s.Target, s.Watermarks, ofRequests, true}
	}
	if s := m.ContainerResource; s != nil {
		all[v1alpha1.ContainerResourceMetricType] = source{horizontal.ContainerResource, true, s.Target, s.Watermarks, ofRequests, true}
	}
	if s := m.Pods; s != nil {
		all[v1alpha1.PodsMetricType] = source{horizontal.Pods, true, s.Target, s.Watermarks, ofPods, false}
	}
	if s := m.Object; s != nil {
		all[v1alpha1.ObjectMetricType] = source{horizontal.Object, true, s.Target, s.Watermarks, ofTotals, false}
	}
	if s := m.External; s != nil {
		all[v1alpha1.ExternalMetricType] = source{horizontal.External, true, s.Target, s.Watermarks, ofTotals, false}
	}
	return all
}

// metric compiles one metric.
func (c *compiler) metric(path fault.Path, m *v1alpha1.MetricSpec) horizontal.Metric {
	if !oneOf(c, path.Field("type"), m.Type, metricTypes...) {
		return horizontal.Metric{}
	}
	all := sources(m)
	for _, t := range metricTypes {
		if t != m.Type && all[t].set {
			c.faults.Add(path.Field(fieldOf(t)), "does not belong to a metric of type %s: remove it, or change the type", m.Type)
		}
	}
	s := all[m.Type]
	at := path.Field(fieldOf(m.Type))
	if !s.set {
		c.faults.Add(at, "is required for a metric of type %s", m.Type)
		return horizontal.Metric{}
	}
	out := horizontal.Metric{Kind: s.kind, OnMissing: c.onMissing(path.Field("onMissing"), m.OnMissing)}
	out.Activation = c.activation(path.Field("activation"), m.Activation)
	c.identity(at, m, &out)
	if c.isInput(m, s) {
		out.Input, out.Type = true, scale.AverageValue
		return out
	}
	if s.target == nil && s.watermarks == nil && c.measuresHeadroom() && s.kind < horizontal.Pods {
		// Until anything is known, the administrator's safest target serves; where
		// pods may burst and prices decide, that of an HPA which costs least.
		mark := scale.Amount(c.targetFloor()) * scale.Thousand
		if Priced(&c.spec) {
			mark = untilPriced * scale.Thousand
		}
		out.Headroom, out.Type, out.Band = true, scale.Utilization, scale.Band{Low: mark, High: mark}
		return out
	}
	if s.target == nil && s.watermarks == nil && m.External != nil && m.External.GRPC != nil {
		out.BySource, out.Type = true, scale.AverageValue
		return out
	}
	out.Type, out.Band = c.band(at, s)
	return out
}

// identity reads what a metric is called and where it is found.
func (c *compiler) identity(at fault.Path, m *v1alpha1.MetricSpec, out *horizontal.Metric) {
	switch out.Kind {
	case horizontal.Resource:
		out.Name, out.Resource = m.Resource.Name, c.resource(at.Field("name"), m.Resource.Name)
	case horizontal.ContainerResource:
		s := m.ContainerResource
		out.Resource, out.Container = c.resource(at.Field("name"), s.Name), s.Container
		out.Name, out.Of.Name, out.Of.Container = s.Name+" of "+s.Container, s.Name, s.Container
		if s.Container == "" {
			c.faults.Add(at.Field("container"), "is required: name the container whose usage counts")
		}
	case horizontal.Pods:
		c.named(at, m.Pods.Metric, out)
	case horizontal.Object:
		c.named(at, m.Object.Metric, out)
		out.Of.Object = m.Object.DescribedObject.Kind + "/" + m.Object.DescribedObject.Name
		if m.Object.DescribedObject.Kind == "" || m.Object.DescribedObject.Name == "" {
			c.faults.Add(at.Field("describedObject"), "needs a kind and a name: they say which object the metric belongs to")
		}
	case horizontal.External:
		c.named(at, m.External.Metric, out)
		c.prometheus(at, m.External)
		c.grpc(at, m.External)
	}
}

// prometheus checks the query of a metric that has one.
func (c *compiler) prometheus(at fault.Path, m *v1alpha1.ExternalMetric) {
	if m.Prometheus == nil {
		return
	}
	if m.Prometheus.Query == "" {
		c.faults.Add(at.Field("prometheus.query"), "is required: give a query in PromQL")
	}
	if m.Metric.Selector != nil {
		c.faults.Add(at.Field("metric.selector"), "cannot stand beside prometheus: write the labels into the query")
	}
	c.formed(at.Field("prometheus.address"), m.Prometheus.Address, prometheusAddress,
		"a URL such as http://prometheus.monitoring:9090, without a password and a query")
	c.notMore(at.Field("prometheus.headers"), m.Prometheus.Headers)
	c.notMore(at.Field("prometheus.matchers"), m.Prometheus.Matchers)
}

func (c *compiler) notMore(at fault.Path, entries map[string]string) {
	if len(entries) > maxPrometheusEntries {
		c.faults.Add(at, "must not have more than %d entries, got %d", maxPrometheusEntries, len(entries))
	}
}

// maxPrometheusEntries is how many headers, or matchers, a query may have been written
// for. The resource definition has the same bound.
const maxPrometheusEntries = 16

func (c *compiler) named(at fault.Path, id v1alpha1.MetricIdentifier, out *horizontal.Metric) {
	if id.Name == "" {
		c.faults.Add(at.Field("metric.name"), "is required: name the metric")
	}
	out.Name = id.Name
	if s := id.Selector; s != nil && len(s.MatchLabels)+len(s.MatchExpressions) > 0 {
		out.Of.Selector = metav1.FormatLabelSelector(s)
	}
}

// tellApart makes the names of metrics say what they are measured of, where others
// have the same name and are measured of something else.
func tellApart(metrics []horizontal.Metric) {
	of := map[string]map[scale.MetricSource]bool{}
	for i := range metrics {
		m := &metrics[i]
		if of[m.Name] == nil {
			of[m.Name] = map[scale.MetricSource]bool{}
		}
		of[m.Name][m.Of] = true
	}
	for i := range metrics {
		m := &metrics[i]
		if m.Kind < horizontal.Pods || len(of[m.Name]) < 2 || m.Of == (scale.MetricSource{}) {
			continue
		}
		m.Of.Name = m.Name
		if m.Of.Object != "" {
			m.Name += " of " + m.Of.Object
		}
		if m.Of.Selector != "" {
			m.Name += "{" + m.Of.Selector + "}"
		}
	}
}

func (c *compiler) resource(path fault.Path, name string) scale.Resource {
	r, ok := scale.ParseResource(name)
	if !ok {
		c.faults.Add(path, "must be cpu or memory, got %q: Kubernetes measures no other resource of pods", name)
	}
	return r
}

// band compiles the target or the watermarks of a metric, whichever is given.
func (c *compiler) band(at fault.Path, s source) (scale.TargetType, scale.Band) {
	switch {
	case s.target != nil && s.watermarks != nil:
		c.faults.Add(at, "has both target and watermarks: keep one of them")
	case s.target != nil:
		return c.targetBand(at.Field("target"), s)
	case s.watermarks != nil:
		return c.watermarks(at.Field("watermarks"), s)
	default:
		c.faults.Add(at, "needs a target or watermarks")
	}
	return 0, scale.Band{}
}

// targetBand compiles a plain target: the quantity given implies its type.
func (c *compiler) targetBand(at fault.Path, s source) (scale.TargetType, scale.Band) {
	t := s.target
	var given []scale.TargetType
	var mark scale.Amount
	if t.Value != nil {
		given, mark = append(given, scale.Value), c.mark(at.Field("value"), *t.Value)
	}
	if t.AverageValue != nil {
		given, mark = append(given, scale.AverageValue), c.mark(at.Field("averageValue"), *t.AverageValue)
	}
	if t.AverageUtilization != nil {
		given, mark = append(given, scale.Utilization), scale.Amount(*t.AverageUtilization)*scale.Thousand
		if *t.AverageUtilization < 1 {
			c.faults.Add(at.Field("averageUtilization"), "must be at least 1 percent, got %d", *t.AverageUtilization)
		}
	}
	if len(given) != 1 {
		c.faults.Add(at, "needs exactly one of %s, got %d of them", targetFields(s.types), len(given))
		return 0, scale.Band{}
	}
	if t.Type != "" && string(t.Type) != given[0].String() {
		c.faults.Add(at.Field("type"), "is %q, but the target is given as %s: make them agree", t.Type, targetField(given[0]))
	}
	c.allowed(at, given[0], s.types)
	return given[0], scale.Band{Low: mark, High: mark}
}

func (c *compiler) allowed(at fault.Path, got scale.TargetType, types []scale.TargetType) {
	if slices.Contains(types, got) {
		return
	}
	c.faults.Add(at, "cannot be of type %s for this kind of metric: use %s", got, targetFields(types))
}

func targetField(t scale.TargetType) string {
	return [...]string{"value", "averageValue", "averageUtilization"}[t]
}

func targetFields(types []scale.TargetType) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = targetField(t)
	}
	return strings.Join(names, " or ")
}

// watermarks compiles a band. One mark alone stands for both.
func (c *compiler) watermarks(at fault.Path, s source) (scale.TargetType, scale.Band) {
	w := s.watermarks
	kind := s.types[0]
	switch {
	case w.Type != "":
		found := false
		for _, t := range []scale.TargetType{scale.Value, scale.AverageValue, scale.Utilization} {
			if t.String() == string(w.Type) {
				kind, found = t, true
			}
		}
		if !found {
			c.faults.Add(at.Field("type"), "must be Value, AverageValue or Utilization, got %q", w.Type)
			return 0, scale.Band{}
		}
		c.allowed(at.Field("type"), kind, s.types)
	case s.ambiguous:
		c.faults.Add(at.Field("type"), "is required: say Utilization for percent of the request, or AverageValue for usage per pod")
	}
	if w.Low == nil && w.High == nil {
		c.faults.Add(at, "needs low, high or both")
		return kind, scale.Band{}
	}
	band := scale.Band{}
	if w.Low != nil {
		band.Low = c.mark(at.Field("low"), *w.Low)
		band.High = band.Low
	}
	if w.High != nil {
		band.High = c.mark(at.Field("high"), *w.High)
		if w.Low == nil {
			band.Low = band.High
		}
	}
	if band.Low > band.High && band.High > 0 {
		c.faults.Add(at.Field("low"), "must not be above high: %s > %s", w.Low, w.High)
	}
	return kind, band
}

// mark reads a quantity that a value is compared with.
func (c *compiler) mark(path fault.Path, q resource.Quantity) scale.Amount {
	a, err := scale.ParseAmount(q.String())
	switch {
	case err != nil:
		c.faults.Add(path, "%s %v", q.String(), err)
	case a <= 0:
		c.faults.Add(path, "must be above 0, got %s", q.String())
	}
	return a
}
