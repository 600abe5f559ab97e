package listing

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// Lister lists one page of the objects of a kind in a namespace, or in all.
type Lister func(ctx context.Context, kind schema.GroupVersionResource, namespace string, options metav1.ListOptions) (*unstructured.UnstructuredList, error)

// With lists with a client.
func With(client dynamic.Interface) Lister {
	return func(ctx context.Context, kind schema.GroupVersionResource, namespace string, options metav1.ListOptions) (*unstructured.UnstructuredList, error) {
		return client.Resource(kind).Namespace(namespace).List(ctx, options)
	}
}

// Kinds are what is read from a cluster. Secrets are not among them.
var Kinds = []schema.GroupVersionResource{
	{Group: "autoscaling", Version: "v2", Resource: "horizontalpodautoscalers"},
	{Group: "autoscaling.k8s.io", Version: "v1", Resource: "verticalpodautoscalers"},
	{Group: "keda.sh", Version: "v1alpha1", Resource: "scaledobjects"},
	{Group: "datadoghq.com", Version: "v1alpha1", Resource: "watermarkpodautoscalers"},
	{Group: "autoscaling.k8s.io", Version: "v1alpha1", Resource: "hvpas"},
	{Group: "autoscaling.mercari.com", Version: "v1beta3", Resource: "tortoises"},
	{Group: "autoscaling.tidemark.dev", Version: "v1alpha1", Resource: "workloadautoscalers"},
	{Group: "apps", Version: "v1", Resource: "deployments"},
	{Group: "apps", Version: "v1", Resource: "statefulsets"},
	{Group: "apps", Version: "v1", Resource: "replicasets"},
	{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"},
	{Group: "", Version: "v1", Resource: "limitranges"},
	{Group: "", Version: "v1", Resource: "resourcequotas"},
	{Group: "", Version: "v1", Resource: "services"},
}

// pageSize is how many objects are asked for at a time.
const pageSize = 500

// Each reads the objects of a namespace, or of all, without the parts that only the
// cluster writes. Kinds that the cluster does not have are passed over; anything
// else that fails ends it, because what needs two objects would be wrong with half
// of them.
func Each(ctx context.Context, list Lister, namespace string, do func(*unstructured.Unstructured) error) error {
	for _, kind := range Kinds {
		if err := Of(ctx, list, kind, namespace, do); err != nil {
			return err
		}
	}
	return nil
}

// Of reads the objects of one kind likewise.
func Of(ctx context.Context, list Lister, kind schema.GroupVersionResource, namespace string, do func(*unstructured.Unstructured) error) error {
	options := metav1.ListOptions{Limit: pageSize}
	for {
		page, err := list(ctx, kind, namespace, options)
		if apierrors.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading %s: %w", kind.Resource, err)
		}
		for i := range page.Items {
			object := &page.Items[i]
			object.SetManagedFields(nil)
			delete(object.Object, "status")
			if err := do(object); err != nil {
				return err
			}
		}
		if options.Continue = page.GetContinue(); options.Continue == "" {
			return nil
		}
	}
}
