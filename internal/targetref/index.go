package targetref

import (
	"context"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// Field is the field index by which objects, and HPAs, are found by what they
// scale, and objects by the HPA that they tune. Its values are keys of targets.
const Field = "spec.targetRef"

// Index teaches a cache the index.
func Index(ctx context.Context, indexer client.FieldIndexer) error {
	for _, kind := range []client.Object{&v1alpha1.WorkloadAutoscaler{}, &autoscalingv2.HorizontalPodAutoscaler{}} {
		if err := indexer.IndexField(ctx, kind, Field, IndexedBy); err != nil {
			return fmt.Errorf("indexing %T by target: %w", kind, err)
		}
	}
	return nil
}

// IndexedBy is what an object is found by.
func IndexedBy(obj client.Object) []string {
	switch obj := obj.(type) {
	case *v1alpha1.WorkloadAutoscaler:
		keys := []string{Of(obj).Key()}
		if hpa, tunes := TunedHPA(obj); tunes {
			keys = append(keys, hpa.Key())
		}
		return keys
	case *autoscalingv2.HorizontalPodAutoscaler:
		return []string{OfHPA(obj).Key()}
	}
	return nil
}

// List finds the objects, or HPAs, that act on a target. They are shared with
// the cache, and must not be changed.
func List(ctx context.Context, cache client.Reader, t Target, into client.ObjectList) error {
	return cache.List(ctx, into, client.InNamespace(t.Namespace), client.MatchingFields{Field: t.Key()}, client.UnsafeDisableDeepCopy)
}
