package controller

import (
	"context"
	"fmt"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply"
)

// TargetIndex is the field index by which objects, and HPAs, are found by what
// they scale, and objects by the HPA that they tune. Its values are those of
// TargetKey.
const TargetIndex = "spec.targetRef"

// TargetOf returns what an object scales.
func TargetOf(obj *v1alpha1.WorkloadAutoscaler) apply.Target {
	ref := obj.Spec.TargetRef
	return apply.Target{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: obj.Namespace, Name: ref.Name}
}

// TargetKey names a target for TargetIndex, as namespace/group/kind/name. The
// version is left out: two versions of a kind are the same object.
func TargetKey(t apply.Target) string {
	group, _, versioned := strings.Cut(t.APIVersion, "/")
	if !versioned {
		group = ""
	}
	return strings.Join([]string{t.Namespace, group, t.Kind, t.Name}, "/")
}

// Index teaches a cache the indexes that the controller reads by.
func Index(ctx context.Context, indexer client.FieldIndexer) error {
	for _, kind := range []client.Object{&v1alpha1.WorkloadAutoscaler{}, &autoscalingv2.HorizontalPodAutoscaler{}} {
		if err := indexer.IndexField(ctx, kind, TargetIndex, IndexedBy); err != nil {
			return fmt.Errorf("indexing %T by target: %w", kind, err)
		}
	}
	return nil
}

// IndexedBy is what an object is found by in TargetIndex.
func IndexedBy(obj client.Object) []string {
	switch obj := obj.(type) {
	case *v1alpha1.WorkloadAutoscaler:
		keys := []string{TargetKey(TargetOf(obj))}
		if name := tunedBy(obj); name != "" {
			keys = append(keys, TargetKey(tunedHPA(obj.Namespace, name)))
		}
		return keys
	case *autoscalingv2.HorizontalPodAutoscaler:
		return []string{TargetKey(targetOfHPA(obj))}
	}
	return nil
}

func targetOfHPA(hpa *autoscalingv2.HorizontalPodAutoscaler) apply.Target {
	ref := hpa.Spec.ScaleTargetRef
	return apply.Target{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: hpa.Namespace, Name: ref.Name}
}

// tunedHPA is an HPA that an object tunes, as something that it acts on.
func tunedHPA(namespace, name string) apply.Target {
	return apply.Target{APIVersion: autoscalingv2.SchemeGroupVersion.String(), Kind: "HorizontalPodAutoscaler", Namespace: namespace, Name: name}
}
