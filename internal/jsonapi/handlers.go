package jsonapi

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// call is a request of a caller who showed a token.
type call struct {
	*http.Request
	writer          http.ResponseWriter
	objects         Objects
	bodies          *bodies
	verb            string
	namespace, name string
}

// answer is what a handler answers if nothing went wrong.
type answer struct {
	status int
	body   any
	header http.Header
}

// Sizes of a page.
const (
	usualPage = 100
	maxPage   = 500
)

func list(c call) (answer, error) {
	query := c.URL.Query()
	limit := int64(usualPage)
	if text := query.Get("limit"); text != "" {
		number, err := strconv.ParseInt(text, 10, 32)
		if err != nil || number < 1 || number > maxPage {
			return answer{}, problem(http.StatusBadRequest, "the query is not valid").
				because(fault.List{{Path: "limit", Message: fmt.Sprintf("must be a whole number from 1 to %d", maxPage)}})
		}
		limit = number
	}
	found, err := c.objects.List(c.Context(), limit, query.Get("continue"))
	if err != nil {
		return answer{}, err
	}
	page := Page{Items: []Resource{}, Continue: found.GetContinue(), Remaining: found.GetRemainingItemCount()}
	for i := range found.Items {
		resource, err := show(&found.Items[i])
		if err != nil {
			return answer{}, broken(err)
		}
		page.Items = append(page.Items, resource)
	}
	return answer{status: http.StatusOK, body: page}, nil
}

func get(c call) (answer, error) {
	object, err := c.objects.Get(c.Context(), c.name)
	if err != nil {
		return answer{}, err
	}
	if names(c.Header.Values("If-None-Match"), etag(object), true) {
		return answer{status: http.StatusNotModified, header: http.Header{"Etag": {etag(object)}}}, nil
	}
	return shown(http.StatusOK, object)
}

func create(c call) (answer, error) {
	in, err := c.readBody()
	if err != nil {
		return answer{}, err
	}
	if in.name == "" {
		return answer{}, problem(http.StatusUnprocessableEntity, "the resource has no name").
			because(fault.List{{Path: "name", Message: "is required: name the autoscaler"}})
	}
	object := &unstructured.Unstructured{Object: map[string]any{"spec": in.spec}}
	object.SetAPIVersion(v1alpha1.GroupVersion.String())
	object.SetKind(v1alpha1.Kind)
	object.SetName(in.name)
	object.SetNamespace(c.namespace)
	created, err := c.objects.Create(c.Context(), object)
	if err != nil {
		return answer{}, asProblem(err).inWordsOf(in.from)
	}
	out, err := shown(http.StatusCreated, created)
	if err == nil {
		out.header.Set("Location", c.URL.EscapedPath()+"/"+url.PathEscape(created.GetName()))
	}
	return out, err
}

// update replaces the spec of an object and leaves its labels, annotations and
// status alone.
func update(c call) (answer, error) {
	if c.Header.Get("If-Match") == "" {
		return answer{}, problem(http.StatusPreconditionRequired, "say in If-Match which version is to be changed: the ETag that the resource had when it was read")
	}
	in, err := c.readBody()
	if err != nil {
		return answer{}, err
	}
	if in.name != "" && in.name != c.name {
		return answer{}, problem(http.StatusUnprocessableEntity, "a resource cannot be renamed").
			because(fault.List{{Path: "name", Message: fmt.Sprintf("must be %q, as in the path", c.name)}})
	}
	object, err := c.objects.Get(c.Context(), c.name)
	if err != nil {
		return answer{}, err
	}
	if err := matches(c.Request, object); err != nil {
		return answer{}, err
	}
	before, err := show(object)
	if err != nil {
		return answer{}, broken(err)
	}
	if len(before.Warnings) > 0 {
		refused := problem(http.StatusConflict, "the WorkloadAutoscaler behind this resource asks for more than the resource can say, and an "+
			"update would lose it: change the object itself")
		refused.Errors = before.Warnings
		return answer{}, refused
	}
	object.Object["spec"] = in.spec
	updated, err := c.objects.Update(c.Context(), object)
	if apierrors.IsConflict(err) {
		return answer{}, changed()
	} else if err != nil {
		return answer{}, asProblem(err).inWordsOf(in.from)
	}
	return shown(http.StatusOK, updated)
}

func remove(c call) (answer, error) {
	var only metav1.Preconditions
	if c.Header.Get("If-Match") != "" {
		object, err := c.objects.Get(c.Context(), c.name)
		if err != nil {
			return answer{}, err
		}
		if err := matches(c.Request, object); err != nil {
			return answer{}, err
		}
		only.ResourceVersion = new(object.GetResourceVersion())
	}
	err := c.objects.Delete(c.Context(), c.name, only)
	if only.ResourceVersion != nil && apierrors.IsConflict(err) {
		return answer{}, changed()
	}
	return answer{status: http.StatusNoContent}, err
}

func shown(status int, object *unstructured.Unstructured) (answer, error) {
	resource, err := show(object)
	if err != nil {
		return answer{}, broken(err)
	}
	return answer{status: status, body: resource, header: http.Header{"Etag": {etag(object)}}}, nil
}

// broken is an object of the cluster that could not be read, which its
// definition there should have made impossible.
func broken(err error) error {
	return errors.Join(problem(http.StatusInternalServerError, "the object in the cluster could not be read"), err)
}
