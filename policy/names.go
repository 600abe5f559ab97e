package policy

import (
	"regexp"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// What names look like. They become parts of paths of the API server, and stand
// in messages and logs: what could lead elsewhere, or forge a line, is no name.
// The resource definition has the same rules.
var (
	objectName = regexp.MustCompile(`^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$`)
	apiVersion = regexp.MustCompile(`^([a-z0-9]([-.a-z0-9]*[a-z0-9])?/)?[a-z0-9]+$`)
	kindName   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)
	metricName = regexp.MustCompile(`^[^/%[:cntrl:]]+$`)

	prometheusAddress = regexp.MustCompile(`^https?://[^@?#[:cntrl:][:space:]]+$`)
)

// maxLabels is how many labels a selector may ask for: it travels in an address.
const maxLabels = 32

// names looks at every name in the spec. One that is required and missing is told
// elsewhere.
func (c *compiler) names() {
	t := c.spec.TargetRef
	c.formed("targetRef.apiVersion", t.APIVersion, apiVersion, "GROUP/VERSION, such as apps/v1")
	c.formed("targetRef.kind", t.Kind, kindName, "the name of a kind, such as Deployment")
	c.formed("targetRef.name", t.Name, objectName, anObject)
	if t.Kind == v1alpha1.Kind && strings.HasPrefix(t.APIVersion, v1alpha1.GroupVersion.Group+"/") {
		c.faults.Add("targetRef", "a WorkloadAutoscaler is no workload: name what it scales itself, or the two would scale each other")
	}
	c.formed("hpaName", c.spec.HPAName, objectName, anObject)
	if v := c.spec.Vertical; v != nil {
		c.formed("vertical.vpaName", v.VPAName, objectName, anObject)
	}
	for i := range c.spec.Metrics {
		c.metricNames(fault.Path("metrics").Index(i), &c.spec.Metrics[i])
	}
}

func (c *compiler) metricNames(path fault.Path, m *v1alpha1.MetricSpec) {
	if m.Pods != nil {
		c.identifier(path.Field("pods.metric"), &m.Pods.Metric)
	}
	if m.External != nil {
		c.identifier(path.Field("external.metric"), &m.External.Metric)
	}
	if o := m.Object; o != nil {
		c.identifier(path.Field("object.metric"), &o.Metric)
		of := path.Field("object.describedObject")
		c.formed(of.Field("apiVersion"), o.DescribedObject.APIVersion, apiVersion, "GROUP/VERSION, such as networking.k8s.io/v1")
		c.formed(of.Field("kind"), o.DescribedObject.Kind, kindName, "the name of a kind, such as Ingress")
		c.formed(of.Field("name"), o.DescribedObject.Name, objectName, anObject)
	}
}

func (c *compiler) identifier(path fault.Path, id *v1alpha1.MetricIdentifier) {
	const aPart = "a part of a path: no /, no % and nothing that cannot be printed"
	c.formed(path.Field("name"), id.Name, metricName, aPart)
	if id.Name == "." || id.Name == ".." {
		c.faults.Add(path.Field("name"), "must be %s", aPart)
	}
	if s := id.Selector; s != nil && len(s.MatchLabels)+len(s.MatchExpressions) > maxLabels {
		c.faults.Add(path.Field("selector"), "must not have more than %d labels", maxLabels)
	}
}

const anObject = "the name of an object: lower case letters, digits, - and ."

func (c *compiler) formed(path fault.Path, text string, form *regexp.Regexp, what string) {
	if text != "" && !form.MatchString(text) {
		c.faults.Add(path, "must be %s, got %.64q", what, text)
	}
}
