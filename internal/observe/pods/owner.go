package pods

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/targetref"
)

// Owner is the workload that a pod says it belongs to. Whoever writes a pod writes
// its owner, so Confirm has to be asked before anything is told or done for it.
type Owner struct {
	targetref.Target
	UID types.UID
}

// ErrNotThere is the error for an owner that a pod names and that is not there, or
// not any more: it was made up, or another has its name now.
var ErrNotThere = errors.New("there is no such owner, or another has its name now")

// OwnerOf returns the workload that a pod belongs to: the controller of its
// ReplicaSet, or else its own controller. It reports false for a pod that
// nobody controls. A pod that is about to be created need not have a name yet.
func (x *Index) OwnerOf(ctx context.Context, pod *corev1.Pod) (Owner, bool, error) {
	owner := metav1.GetControllerOfNoCopy(pod)
	if owner == nil {
		return Owner{}, false, nil
	}
	direct := named(owner, pod.Namespace)
	if !isReplicaSet(owner) {
		return direct, true, nil
	}
	set, err := x.replicaSet(ctx, direct)
	if err != nil {
		return Owner{}, false, err
	}
	if above := metav1.GetControllerOfNoCopy(set); above != nil {
		return named(above, pod.Namespace), true, nil
	}
	return direct, true, nil
}

// replicaSet reads the ReplicaSet that a pod names.
func (x *Index) replicaSet(ctx context.Context, o Owner) (*metav1.PartialObjectMetadata, error) {
	// Such a name costs no request, and stands in no error.
	if len(validation.IsDNS1123Subdomain(o.Name)) > 0 || len(validation.IsDNS1123Label(o.Namespace)) > 0 {
		return nil, ErrNotThere
	}
	set := replicaSet()
	err := x.Cache.Get(ctx, client.ObjectKey{Namespace: o.Namespace, Name: o.Name}, set)
	if apierrors.IsNotFound(err) && x.Live != nil {
		set, err = x.live(ctx, o)
	}
	switch {
	case apierrors.IsNotFound(err) || err == nil && set.UID != o.UID:
		return nil, fmt.Errorf("finding the owner of %s: %w", o, ErrNotThere)
	case err != nil:
		return nil, fmt.Errorf("finding the owner of %s: %w", o, err)
	}
	return set, nil
}

// Confirm tells whether an owner is there now, and not only another of its name; if it
// is not, the error is ErrNotThere. The kinds that are watched cost no request, unless
// the watch is behind; for others the scale is read.
func (x *Index) Confirm(ctx context.Context, o Owner) error {
	now, err := x.Targets.Read(ctx, o.Target)
	if err == nil && now.UID == o.UID && o.UID != "" {
		return nil
	}
	if x.Live == nil || o.UID == "" {
		return fmt.Errorf("looking for %s: %w", o, errors.Join(ErrNotThere, err))
	}
	switch found, direct := x.live(ctx, o); {
	case direct == nil && found.UID == o.UID:
		return nil
	case direct == nil || apierrors.IsNotFound(direct),
		// Kinds that may only be scaled cannot be read; what their scale says counts.
		apierrors.IsForbidden(direct) && (err == nil || apierrors.IsNotFound(err)):
		return fmt.Errorf("looking for %s: %w", o, errors.Join(ErrNotThere, err))
	default:
		return fmt.Errorf("looking for %s: %w", o, errors.Join(direct, err))
	}
}

// live reads an owner past the cache.
func (x *Index) live(ctx context.Context, o Owner) (*metav1.PartialObjectMetadata, error) {
	found := &metav1.PartialObjectMetadata{}
	found.SetGroupVersionKind(schema.FromAPIVersionAndKind(o.APIVersion, o.Kind))
	return found, x.Live.Get(ctx, client.ObjectKey{Namespace: o.Namespace, Name: o.Name}, found)
}

func named(owner *metav1.OwnerReference, namespace string) Owner {
	return Owner{Target: targetref.Target{APIVersion: owner.APIVersion, Kind: owner.Kind, Namespace: namespace, Name: owner.Name}, UID: owner.UID}
}
