package jsonapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/convert"
	"github.com/tidemark/tidemark/internal/strict"
)

// asked is what a request asks the object to be.
type asked struct {
	name string
	spec map[string]any
	// from holds, for each field of the object, the one of the resource.
	from map[string]string
}

// readBody reads the resource that a request carries, and converts it. The
// Kubernetes API is asked first whether the caller may do this at all: what
// others send is never looked at.
func (c *call) readBody() (asked, error) {
	if media, _, err := mime.ParseMediaType(c.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return asked{}, problem(http.StatusUnsupportedMediaType, "the body must be JSON: set Content-Type to application/json").with("Accept", "application/json")
	}
	if err := c.objects.May(c.Context(), c.verb, c.name); err != nil {
		return asked{}, err
	}
	done, err := c.bodies.turn(c.Context(), c.namespace)
	if err != nil {
		return asked{}, err
	}
	defer done()
	// Whoever sends slowly must not keep the turn. Where the time cannot be
	// limited here, that of the whole request is.
	_ = http.NewResponseController(c.writer).SetReadDeadline(time.Now().Add(bodyPatience))
	body, err := bounded(c.Body)
	if err != nil {
		return asked{}, err
	}
	resource, err := readResource(body)
	if err != nil {
		return asked{}, err
	}
	return convertResource(resource)
}

// readResource reads the body. What is not JSON, has a field twice or one that
// is not known is a bad request.
func readResource(body []byte) (convert.ZcloudHPA, error) {
	if !json.Valid(body) {
		return convert.ZcloudHPA{}, problem(http.StatusBadRequest, "the body is not valid JSON")
	}
	// Go's own reader takes the last of two fields of one name; ours refuses
	// both, and bodies that are nested to no purpose.
	var whole json.RawMessage
	faults := strict.Unmarshal(body, &whole)
	var resource convert.ZcloudHPA
	if len(faults) == 0 {
		read, err := convert.ReadZcloud(body)
		resource, faults = read, fault.Of(err)
	}
	if len(faults) > 0 {
		return resource, problem(http.StatusBadRequest, "the body is not a resource of this kind").because(strict.Shorten(faults))
	}
	return resource, nil
}

// convertResource makes the spec of the object. Nothing of the resource may
// be left behind on the way.
func convertResource(in convert.ZcloudHPA) (asked, error) {
	document, err := json.Marshal(in)
	if err != nil {
		return asked{}, fmt.Errorf("writing the resource: %w", err)
	}
	const invalid = "the resource cannot work as it is"
	result, err := convert.Convert(document)
	if err != nil {
		return asked{}, problem(http.StatusUnprocessableEntity, invalid).because(fault.Of(err))
	}
	var faults fault.List
	out := asked{name: in.Name, from: map[string]string{}}
	for _, f := range result.Report.Fields {
		if f.Fate == convert.NotCarried {
			faults.Add(fault.Path(f.Path), "%s", f.Note)
		}
		if f.To != "" && f.Path != "" {
			out.from[f.To] = f.Path
		}
	}
	if len(in.ResourceMetrics)+len(in.CustomMetrics) == 0 {
		faults.Add("resourceMetrics", "is empty, and so is customMetrics: give at least one metric to scale by")
	}
	if len(faults) > 0 {
		return asked{}, problem(http.StatusUnprocessableEntity, invalid).because(faults)
	}
	tree, err := runtime.DefaultUnstructuredConverter.ToUnstructured(result.Object)
	if err != nil {
		return asked{}, fmt.Errorf("writing the object: %w", err)
	}
	out.spec, _, err = unstructured.NestedMap(tree, "spec")
	if err != nil {
		return asked{}, fmt.Errorf("writing the object: %w", err)
	}
	return out, keepTexts(in, out.spec)
}

// keepTexts puts the quantities back as the caller wrote them: 2000 does not
// become 2k. Converting keeps the order, resources first.
func keepTexts(in convert.ZcloudHPA, spec map[string]any) error {
	metrics, _, err := unstructured.NestedSlice(spec, "metrics")
	if err != nil {
		return fmt.Errorf("writing the object: %w", err)
	}
	set := func(i int, source, text string) {
		metric, ok := metrics[i].(map[string]any)
		if ok && text != "" {
			err = errors.Join(err, unstructured.SetNestedField(metric, text, source, "target", "averageValue"))
		}
	}
	for i, m := range in.ResourceMetrics {
		set(i, "resource", m.AverageValue)
	}
	for i, m := range in.CustomMetrics {
		set(len(in.ResourceMetrics)+i, "pods", m.AverageValue)
	}
	return errors.Join(err, unstructured.SetNestedSlice(spec, metrics, "metrics"))
}
