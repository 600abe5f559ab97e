package scalesub

import (
	"context"
	"fmt"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	scaleclient "k8s.io/client-go/scale"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// Applier sets the replicas of a target.
type Applier struct {
	// Scales reads and writes scale subresources.
	Scales scaleclient.ScalesGetter
	// Mapper finds the resource of a kind.
	Mapper meta.RESTMapper
}

var _ apply.Applier = (*Applier)(nil)

// Apply brings the count to d.Want.Replicas if it still is d.From.Replicas.
func (a *Applier) Apply(ctx context.Context, target targetref.Target, d scale.Decision) (apply.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return apply.Outcome{}, err
	}
	from, want := d.From.Replicas, d.Want.Replicas
	if from == want {
		return apply.Outcome{}, nil
	}
	doing := fmt.Sprintf("scaling %s from %d to %d", target, from, want)
	resource, err := a.resource(target)
	if err != nil {
		return apply.Outcome{}, apply.Explain(err, doing, "discover the kinds of the API server")
	}
	changed, err := a.scale(ctx, target, resource, d)
	if err != nil || !changed {
		return apply.Outcome{}, apply.Explain(err, doing, fmt.Sprintf("get and update %s/scale in API group %q", resource.Resource, resource.Group))
	}
	return apply.Outcome{Changes: []apply.Change{{
		Path: "spec.replicas", From: strconv.Itoa(int(from)), To: strconv.Itoa(int(want)),
	}}}, nil
}

// scale reads the live count and sets it, and tells whether it had to. A count
// that is neither the old nor the wanted one is a conflict: it was set by
// someone who knew something else.
func (a *Applier) scale(ctx context.Context, target targetref.Target, resource schema.GroupResource, d scale.Decision) (bool, error) {
	scales := a.Scales.Scales(target.Namespace)
	live, err := scales.Get(ctx, resource, target.Name, metav1.GetOptions{})
	if err != nil {
		return false, err
	}
	switch live.Spec.Replicas {
	case d.Want.Replicas:
		return false, nil
	case d.From.Replicas:
	default:
		return false, apierrors.NewConflict(resource, target.Name, fmt.Errorf("it has %d replicas, not %d", live.Spec.Replicas, d.From.Replicas))
	}
	live.Spec.Replicas = d.Want.Replicas
	_, err = scales.Update(ctx, resource, live, metav1.UpdateOptions{})
	return err == nil, err
}

func (a *Applier) resource(target targetref.Target) (schema.GroupResource, error) {
	gv, err := schema.ParseGroupVersion(target.APIVersion)
	if err != nil {
		return schema.GroupResource{}, err
	}
	mapping, err := a.Mapper.RESTMapping(gv.WithKind(target.Kind).GroupKind(), gv.Version)
	if err != nil {
		return schema.GroupResource{}, err
	}
	return mapping.Resource.GroupResource(), nil
}
