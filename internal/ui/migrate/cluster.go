package migrate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/listing"
)

// lastApplied holds the object once more, which says nothing new.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// Cluster is a desk for the objects of some namespaces of a cluster. An empty one stands
// for all of them: where that may be listed, the others are not asked for. What the
// caller may not list is left out, and named.
func Cluster(list listing.Lister, namespaces ...string) *Desk {
	return &Desk{Now: time.Now, Read: func(ctx context.Context, see func([]byte) error) (notes []string, err error) {
		for _, kind := range listing.Kinds {
			denied, err := each(ctx, list, kind, namespaces, see)
			if err != nil {
				return nil, err
			}
			if len(denied) > 0 {
				notes = append(notes, fmt.Sprintf("you may not list %s%s: none of them is shown, and what lint says of others may lack something",
					kind.Resource, strings.Join(denied, ",")))
			}
		}
		return notes, nil
	}}
}

// each reads the objects of a kind, and says where that is not allowed.
func each(ctx context.Context, list listing.Lister, kind schema.GroupVersionResource, namespaces []string, see func([]byte) error) ([]string, error) {
	var denied []string
	for i, namespace := range namespaces {
		err := listing.Of(ctx, list, kind, namespace, func(o *unstructured.Unstructured) error {
			text, err := manifestOf(o)
			if err != nil {
				return err
			}
			return see(text)
		})
		switch {
		case err == nil && namespace == "":
			return nil, nil
		case forbidden(err) && namespace == "" && i+1 < len(namespaces):
			// Those that are named may be listed all the same.
		case forbidden(err) && namespace == "":
			denied = append(denied, "")
		case forbidden(err):
			denied = append(denied, " in "+namespace)
		case err != nil:
			return nil, err
		}
	}
	return denied, nil
}

// manifestOf is an object as YAML, without what only the cluster writes.
func manifestOf(o *unstructured.Unstructured) ([]byte, error) {
	o.SetUID("")
	o.SetResourceVersion("")
	o.SetGeneration(0)
	unstructured.RemoveNestedField(o.Object, "metadata", "creationTimestamp")
	unstructured.RemoveNestedField(o.Object, "metadata", "annotations", lastApplied)
	text, err := yaml.Marshal(o.Object)
	if err != nil {
		return nil, fmt.Errorf("reading %s %s: %w", o.GetKind(), o.GetName(), err)
	}
	return text, nil
}

// forbidden tells whether an error is that the caller may not.
func forbidden(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && apierrors.IsForbidden(err)
}
