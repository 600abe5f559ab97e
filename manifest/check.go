package manifest

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	names "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// checker collects the faults of an autoscaler that is to become an object of
// a kind.
type checker struct {
	Autoscaler
	kind   Kind
	faults fault.List
}

// check returns everything that is wrong with a completed autoscaler.
func (a Autoscaler) check(kind Kind) error {
	c := checker{Autoscaler: a, kind: kind}
	c.meta()
	c.target()
	c.bounds()
	c.metrics()
	for _, d := range c.directions() {
		c.direction(d)
	}
	c.canMove()
	c.extras()
	c.composed()
	return c.faults.Err()
}

// meta checks what every object of Kubernetes has.
func (c *checker) meta() {
	if c.Name != "" {
		c.words("name", names.IsDNS1123Subdomain(c.Name))
	}
	if c.Namespace != "" {
		c.words("namespace", names.IsDNS1123Label(c.Namespace))
	}
	if own := c.Target.namespace; own != "" && own != c.Namespace {
		c.faults.Add("namespace", "is %q, but the target is in %q: an autoscaler reaches only its own namespace", c.Namespace, own)
	}
	c.upstream(metav1validation.ValidateLabels(c.Labels, field.NewPath("labels")))
	c.upstream(validation.ValidateAnnotations(c.Annotations, field.NewPath("annotations")))
}

// words records what Kubernetes' own checks of names say.
func (c *checker) words(path fault.Path, messages []string) {
	for _, message := range messages {
		c.faults.Add(path, "is not a legal name: %s", message)
	}
}

// upstream records what Kubernetes' own checks of fields say.
func (c *checker) upstream(list field.ErrorList) {
	for _, err := range list {
		c.faults.Add(fault.Path(err.Field), "%s", err.ErrorBody())
	}
}

func (c *checker) bounds() {
	least := c.MinReplicas
	switch {
	case c.MaxReplicas == 0 && c.kind == WorkloadAutoscaler && c.bringsMax():
	case c.MaxReplicas == 0:
		c.faults.Add("maxReplicas", "is required: state the largest number of pods that may ever run")
	case c.MaxReplicas < 0:
		c.faults.Add("maxReplicas", "must be at least 1, got %d", c.MaxReplicas)
	case least != nil && *least > c.MaxReplicas:
		c.faults.Add("minReplicas", "must not be above maxReplicas: %d > %d", *least, c.MaxReplicas)
	}
	switch {
	case least == nil:
	case *least < 0:
		c.faults.Add("minReplicas", "must not be negative, got %d", *least)
	case *least == 0 && !c.seesWithoutPods() && !c.woken():
		c.faults.Add("minReplicas", "may be 0 only with an Object or External metric, or with a schedule that has a minimum: pods that do not run have no "+
			"usage to wake up for")
	}
}

func (c *checker) seesWithoutPods() bool {
	return slices.ContainsFunc(c.Metrics, func(m Metric) bool {
		return m.Type == v1alpha1.ObjectMetricType || m.Type == v1alpha1.ExternalMetricType
	})
}

// canMove refuses an autoscaler that is valid and could never do anything.
func (c *checker) canMove() {
	directions := c.directions()
	if directions[0].disabled() && directions[1].disabled() {
		c.faults.Add("scaleDown.selectPolicy", "is Disabled, and so is scaleUp's: nothing could ever be scaled; allow one direction")
	}
}
