package convert

import (
	"reflect"
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/convert/whole"
)

// The manifests that docs/migrate/carried.md is made of have every field that the types
// of their kind have, so that a field that comes with a new version is not forgotten.
func TestWholeManifestsAreWhole(t *testing.T) {
	for name, spec := range map[string]reflect.Type{
		"hpa.yaml": reflect.TypeFor[autoscalingv2.HorizontalPodAutoscalerSpec](),
		"vpa.yaml": reflect.TypeFor[vpav1.VerticalPodAutoscalerSpec](),
	} {
		t.Run(name, func(t *testing.T) {
			text, err := whole.Manifests.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var manifest struct{ Spec any }
			if err := yaml.Unmarshal(text, &manifest); err != nil {
				t.Fatal(err)
			}
			hasAll(t, spec, []any{manifest.Spec}, "spec")
		})
	}
}

// hasAll fails for a field of a type that none of the values has.
func hasAll(t *testing.T, typ reflect.Type, values []any, path string) {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		if typ.Kind() == reflect.Slice {
			var entries []any
			for _, v := range values {
				list, _ := v.([]any)
				entries = append(entries, list...)
			}
			values = entries
		}
		typ = typ.Elem()
	}
	if len(values) == 0 {
		t.Errorf("no %s", path)
		return
	}
	if typ == reflect.TypeFor[autoscalingv2.MetricTarget]() { // carried whole, and only one of its numbers may be there
		return
	}
	if typ.Kind() != reflect.Struct || reflect.PointerTo(typ).Implements(unmarshaler) {
		return
	}
	fields := map[string]reflect.Type{}
	collectFields(typ, fields)
	for name, field := range fields {
		if name == "matchExpressions" {
			continue // The selector is Kubernetes' own, and carried whole.
		}
		var below []any
		for _, v := range values {
			if entries, _ := v.(map[string]any); entries[name] != nil {
				below = append(below, entries[name])
			}
		}
		hasAll(t, field, below, path+"."+name)
	}
}
