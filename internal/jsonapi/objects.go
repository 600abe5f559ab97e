package jsonapi

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Cluster gives access to the Kubernetes API with the rights of a caller.
type Cluster interface {
	// As returns the WorkloadAutoscalers of a namespace as the bearer of a
	// token sees them. It uses no other credentials.
	As(token, namespace string) (Objects, error)
	// Ready returns an error while the Kubernetes API does not answer.
	Ready(ctx context.Context) error
}

// Objects are the WorkloadAutoscalers of one namespace. Errors that the API
// answered with are its own (k8s.io/apimachinery/pkg/api/errors), at the first
// attempt: nothing is tried again behind the caller's back.
type Objects interface {
	// May returns an error unless the caller may do this: verb is one of the
	// Kubernetes API, name is empty where none is known yet.
	May(ctx context.Context, verb, name string) error
	Create(ctx context.Context, object *unstructured.Unstructured) (*unstructured.Unstructured, error)
	Get(ctx context.Context, name string) (*unstructured.Unstructured, error)
	List(ctx context.Context, limit int64, from string) (*unstructured.UnstructuredList, error)
	// Update fails with a conflict if the object's resourceVersion is not the
	// stored one.
	Update(ctx context.Context, object *unstructured.Unstructured) (*unstructured.Unstructured, error)
	Delete(ctx context.Context, name string, only metav1.Preconditions) error
}
