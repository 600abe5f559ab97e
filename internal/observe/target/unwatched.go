package target

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/tidemark/tidemark/internal/observe/podview"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// readScale reads a kind that is not watched through its scale subresource.
func (r *Reader) readScale(ctx context.Context, t targetref.Target, kind schema.GroupVersionKind) (Scale, error) {
	mapping, err := r.Mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return Scale{}, classify(t, err)
	}
	question := fmt.Sprintf("%s/%s", mapping.Resource, t.Name)
	out, err := snapshot.Get(ctx, r.Answers, snapshot.Query[Scale]{
		Key: snapshot.Key{Source: Source, Tenant: t.Namespace, Query: question}, MaxAge: scaleAge,
		Fetch: func(ctx context.Context) (Scale, error) {
			found, err := r.Scales.Scales(t.Namespace).Get(ctx, mapping.Resource.GroupResource(), t.Name, metav1.GetOptions{})
			if err != nil {
				return Scale{}, classify(t, err)
			}
			return Scale{
				UID: found.UID, SpecReplicas: found.Spec.Replicas, StatusReplicas: found.Status.Replicas, Selector: found.Status.Selector,
			}, nil
		},
	})
	if err != nil {
		return Scale{}, err
	}
	// The template is a help and no more: who may not read it does without.
	out.Containers, _ = snapshot.Get(ctx, r.Answers, snapshot.Query[[]scale.Container]{
		Key: snapshot.Key{Source: Source, Tenant: t.Namespace, Query: "template of " + question}, MaxAge: templateAge,
		Fetch: func(ctx context.Context) ([]scale.Container, error) { return r.template(ctx, t, mapping.Resource) },
	})
	return out, nil
}

// template returns the containers of an object's spec.template. An object
// without one has none, which is not an error worth repeating.
func (r *Reader) template(ctx context.Context, t targetref.Target, resource schema.GroupVersionResource) ([]scale.Container, error) {
	found, err := r.Objects.Resource(resource).Namespace(t.Namespace).Get(ctx, t.Name, metav1.GetOptions{})
	switch {
	case apierrors.IsForbidden(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	raw, has, err := unstructured.NestedMap(found.Object, "spec", "template", "spec")
	if err != nil || !has {
		return nil, nil
	}
	var spec corev1.PodSpec
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(raw, &spec); err != nil {
		// It is somebody's own kind of template.
		return nil, nil
	}
	return podview.Containers(&spec), nil
}
