package jsonapi

import (
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// etag is the version of an object as a strong entity tag.
func etag(object *unstructured.Unstructured) string { return `"` + object.GetResourceVersion() + `"` }

// names tells whether a list of entity tags, the value of If-Match or
// If-None-Match, names a tag. A star names any.
func names(list []string, tag string, weakly bool) bool {
	for one := range strings.SplitSeq(strings.Join(list, ","), ",") {
		one = strings.TrimSpace(one)
		if weakly {
			one = strings.TrimPrefix(one, "W/")
		}
		if one == "*" || one == tag {
			return true
		}
	}
	return false
}

// matches refuses a change of another version than the caller has seen.
func matches(r *http.Request, object *unstructured.Unstructured) error {
	if names(r.Header.Values("If-Match"), etag(object), false) {
		return nil
	}
	return changed()
}

func changed() *Problem {
	return problem(http.StatusPreconditionFailed, "the resource has changed since it was read: read it again, and repeat the change with its new ETag")
}
