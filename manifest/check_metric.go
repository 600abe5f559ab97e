package manifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	names "k8s.io/apimachinery/pkg/util/validation"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// metricRule is what a kind of metric may say.
type metricRule struct {
	// quantities are the fields that can hold its target, the best one first.
	quantities []string
	// marks are the target types that its watermarks can have.
	marks []v1alpha1.TargetType
	// why says why it has no other quantities.
	why string
}

var (
	ofRequests = metricRule{
		quantities: []string{"averageUtilization", "averageValue"},
		marks:      []v1alpha1.TargetType{v1alpha1.UtilizationTarget, v1alpha1.AverageValueTarget},
		why:        "usage is averaged over pods",
	}
	ofTotals = metricRule{
		quantities: []string{"value", "averageValue"},
		marks:      []v1alpha1.TargetType{v1alpha1.ValueTarget, v1alpha1.AverageValueTarget},
		why:        "utilization is a share of the pods' requests",
	}
	ofPods = metricRule{
		quantities: []string{"averageValue"},
		marks:      []v1alpha1.TargetType{v1alpha1.AverageValueTarget},
		why:        "it is averaged over pods and has no request",
	}
)

var metricRules = map[v1alpha1.MetricType]metricRule{
	v1alpha1.ResourceMetricType:          ofRequests,
	v1alpha1.ContainerResourceMetricType: ofRequests,
	v1alpha1.PodsMetricType:              ofPods,
	v1alpha1.ObjectMetricType:            ofTotals,
	v1alpha1.ExternalMetricType:          ofTotals,
}

const (
	metricTypes = "Resource, ContainerResource, Pods, Object, External"
	// maxMetrics and maxMetricName are limits of a WorkloadAutoscaler.
	maxMetrics    = 20
	maxMetricName = 512
)

func (c *checker) metrics() {
	if len(c.Metrics) > maxMetrics {
		c.faults.Add("metrics", "has %d entries: at most %d are allowed", len(c.Metrics), maxMetrics)
		return
	}
	if len(c.Metrics) == 0 && !c.sized() {
		c.requests("metrics", defaultMetric(), "is left out, which means cpu at 80 % of the requests, which")
	}
	first := map[string]int{}
	for i, m := range c.Metrics {
		at := fault.Path("metrics").Index(i)
		c.metric(at, m)
		if len(m.given()) != 1 {
			continue
		}
		if before, twice := first[m.identity()]; twice {
			c.faults.Add(at, "is the same metric as metrics[%d], with the same type of target: the stricter one always wins, so keep one of them", before)
		} else {
			first[m.identity()] = i
		}
	}
}

// identity is the same for two metrics that compare the same numbers. A total
// and an average of one metric are different numbers.
func (m Metric) identity() string {
	compared := string(m.targetType())
	if m.hasMarks() {
		compared = watermarks + " " + string(m.marksType())
	}
	text, err := json.Marshal(Metric{
		Type: m.Type, Name: m.Name, Container: m.Container, DescribedObject: m.DescribedObject, Selector: m.Selector,
		Prometheus: m.Prometheus, GRPC: m.GRPC, Marks: v1alpha1.TargetType(compared),
	})
	if err != nil {
		// Only texts get here.
		panic(err)
	}
	return string(text)
}

func (c *checker) metric(at fault.Path, m Metric) {
	c.faults = append(c.faults, m.faults.Under(at)...)
	rule, ok := metricRules[m.Type]
	switch {
	case m.Type == "":
		c.faults.Add(at.Field("type"), "is required: use one of %s", metricTypes)
		return
	case !ok:
		c.faults.Add(at.Field("type"), "must be one of %s, got %q", metricTypes, shown(string(m.Type)))
		return
	}
	c.metricName(at, m)
	c.container(at, m)
	c.describedObject(at, m)
	c.selector(at, m)
	c.source(at, m)
	c.quantity(at, m, rule)
	if m.asksForRequests() {
		c.requests(at, m, "is a share of the requests, which")
	}
}

func (c *checker) metricName(at fault.Path, m Metric) {
	at = at.Field("name")
	if !m.ofResource() {
		c.segment(at, m.Name, maxMetricName, fmt.Sprintf("is required: nobody can guess the name of a metric of type %s", m.Type))
		return
	}
	if m.Name != "cpu" && m.Name != "memory" {
		c.faults.Add(at, "must be cpu or memory, got %q: the metrics API measures no other resource of pods", shown(m.Name))
	}
}

func (c *checker) container(at fault.Path, m Metric) {
	at = at.Field("container")
	switch {
	case m.Type != v1alpha1.ContainerResourceMetricType:
		if m.Container != "" {
			c.faults.Add(at, "does not belong to a metric of type %s: remove it, or make the type ContainerResource", m.Type)
		}
	case m.Container == "":
		c.faults.Add(at, "is required: name the container whose usage counts")
	case len(names.IsDNS1123Label(m.Container)) > 0:
		c.words(at, names.IsDNS1123Label(m.Container))
	case c.Target.template != nil && !slices.Contains(c.Target.containerNames(), m.Container):
		c.faults.Add(at, "%q is not a container of the target: it has %s", m.Container, listed(c.Target.containerNames()))
	}
}

func (c *checker) describedObject(at fault.Path, m Metric) {
	at = at.Field("describedObject")
	switch {
	case m.Type != v1alpha1.ObjectMetricType:
		if m.DescribedObject != nil {
			c.faults.Add(at, "does not belong to a metric of type %s: remove it, or make the type Object", m.Type)
		}
	case m.DescribedObject == nil:
		c.faults.Add(at, "is required: name the object the metric belongs to by kind and name")
	default:
		c.reference(at, *m.DescribedObject)
	}
}

func (c *checker) selector(at fault.Path, m Metric) {
	if m.Selector == nil {
		return
	}
	at = at.Field("selector")
	if m.ofResource() {
		c.faults.Add(at, "does not belong to a metric of type %s, which counts the target's own pods: remove it", m.Type)
	} else if _, err := metav1.LabelSelectorAsSelector(m.Selector); err != nil {
		c.faults.Add(at, "selects nothing, because it is not valid: %s", strings.ReplaceAll(err.Error(), "\n", " "))
	}
}

// listed joins names for a sentence.
func listed(all []string) string {
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}
