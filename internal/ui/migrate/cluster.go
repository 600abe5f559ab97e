package migrate

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/cli/objects"
)

// lastApplied holds the object once more, which says nothing new.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// Cluster is a desk for the objects of a cluster, of one namespace or of all. What the
// caller may not list is left out, and named.
func Cluster(list objects.Lister, namespace string) *Desk {
	return &Desk{Now: time.Now, Read: func(ctx context.Context) (Input, error) {
		var out Input
		for _, kind := range objects.Kinds {
			err := objects.Of(ctx, list, kind, namespace, func(o *unstructured.Unstructured) error {
				o.SetUID("")
				o.SetResourceVersion("")
				o.SetGeneration(0)
				unstructured.RemoveNestedField(o.Object, "metadata", "creationTimestamp")
				unstructured.RemoveNestedField(o.Object, "metadata", "annotations", lastApplied)
				text, err := yaml.Marshal(o.Object)
				if err != nil {
					return fmt.Errorf("reading %s %s: %w", o.GetKind(), o.GetName(), err)
				}
				out.Manifests = append(out.Manifests, text)
				return nil
			})
			switch {
			case forbidden(err):
				out.Notes = append(out.Notes, fmt.Sprintf("you may not list %s: none of them is shown, and what lint says of others may lack something", kind.Resource))
			case err != nil:
				return out, err
			}
		}
		return out, nil
	}}
}

// forbidden tells whether an error is that the caller may not.
func forbidden(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && apierrors.IsForbidden(err)
}
