package adapter

import (
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// failure is the value that makes the API answer with an error.
const failure = "error"

// Entry is one scripted series. It stands as YAML under any key of the
// ConfigMap.
type Entry struct {
	// External or Custom is the metric's name; exactly one of them is set.
	External string `json:"external,omitempty"`
	Custom   string `json:"custom,omitempty"`
	// Namespace is where the series is seen; everywhere when empty.
	Namespace string `json:"namespace,omitempty"`
	// Labels are the series' labels, which a reader's metric selector must match.
	Labels map[string]string `json:"labels,omitempty"`
	// Resource is what a custom metric describes, such as "pods" (when empty) or
	// "deployments.apps". Name is the object; when empty, every object that a
	// reader selects has the value.
	Resource string `json:"resource,omitempty"`
	Name     string `json:"name,omitempty"`
	// Value is the number, as a quantity, or "error" for an answer with code 500.
	Value string `json:"value,omitempty"`
	// Total is an alternative to Value for custom metrics: a quantity that is
	// shared evenly over the selected objects.
	Total string `json:"total,omitempty"`
	// Age is how old the sample claims to be, as a duration.
	Age string `json:"age,omitempty"`

	quantity resource.Quantity
	age      time.Duration
}

// ParseEntry reads one entry and checks it.
func ParseEntry(text string) (Entry, error) {
	var e Entry
	if err := yaml.UnmarshalStrict([]byte(text), &e); err != nil {
		return e, err
	}
	if (e.External == "") == (e.Custom == "") {
		return e, errors.New("exactly one of external and custom must name the metric")
	}
	if (e.Value == "") == (e.Total == "") {
		return e, errors.New("exactly one of value and total must be set")
	}
	if e.External != "" && (e.Total != "" || e.Resource != "" || e.Name != "") {
		return e, errors.New("total, resource and name belong to custom metrics only")
	}
	if e.Custom != "" && e.Resource == "" {
		e.Resource = "pods"
	}
	return e, e.parseNumbers()
}

func (e *Entry) parseNumbers() (err error) {
	if e.Age != "" {
		if e.age, err = time.ParseDuration(e.Age); err != nil {
			return fmt.Errorf("age: %w", err)
		}
	}
	if e.Value == failure {
		return nil
	}
	number := e.Value + e.Total // One of them is empty.
	if e.quantity, err = resource.ParseQuantity(number); err != nil {
		return fmt.Errorf("%q is neither a quantity nor %q: %w", number, failure, err)
	}
	return nil
}

// groupResource is what a custom metric describes.
func (e Entry) groupResource() schema.GroupResource { return schema.ParseGroupResource(e.Resource) }

// share is the value of one out of n selected objects.
func (e Entry) share(n int) resource.Quantity {
	if e.Total == "" || n < 1 {
		return e.quantity
	}
	return *resource.NewMilliQuantity(e.quantity.MilliValue()/int64(n), resource.DecimalSI)
}
