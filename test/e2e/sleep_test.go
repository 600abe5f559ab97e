//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// TestAFormulaWakesAWorkload: a formula over two metrics of the real API decides
// when the workload sleeps, and how many pods it has. While one of them is missing,
// nothing is taken away.
func TestAFormulaWakesAWorkload(t *testing.T) {
	share(t)
	p := newPlace(t)
	urgent := func(value string) {
		p.metric("urgent", "external: queue_length\nlabels: {queue: urgent}\nvalue: %q\n", value)
	}
	normal := func(value string) {
		p.metric("normal", "external: queue_length\nlabels: {queue: normal}\nvalue: %q\n", value)
	}
	normal("4")
	urgent("0")
	p.workload("web", 2)
	p.eventuallyReady("web", 2)
	p.autoscaler("web", `{replicas: {min: 2, max: 9, idle: 0}, combine: All,
		metrics: [{name: normal, type: External, external: {metric: {name: queue_length, selector: {matchLabels: {queue: normal}}}}},
			{name: urgent, type: External, external: {metric: {name: queue_length, selector: {matchLabels: {queue: urgent}}}}}],
		formula: {expression: "normal + 5 * urgent", target: {averageValue: 10}, activation: 4},
		behavior: {scaleDown: {stabilizationWindowSeconds: 0, toZeroDelaySeconds: 1}}}`)
	p.eventuallyHas("web", 0)
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "NotActivated"))

	urgent("13")
	p.eventuallyHas("web", 7) // ceil((4 + 65) / 10), and six would be out of the tolerance too
	eventually(t, patience, p.told("web", "Normal AboveTarget"))

	urgent("error")
	normal("0")
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "FormulaMissing", "urgent has no usable sample"))
	if err := p.has("web", 7)(); err != nil {
		t.Error(err)
	}
}

// TestTheAPIServerRefusesHalfASleep: what could never work is refused by the
// definition itself, with the field.
func TestTheAPIServerRefusesHalfASleep(t *testing.T) {
	beside(t)
	p := newPlace(t)
	const queue = `external: {metric: {name: queue_length}, target: {averageValue: 10}}`
	for words, spec := range map[string]string{
		"idle must be below min":                  `{replicas: {min: 2, max: 9, idle: 2}, metrics: [{type: External, ` + queue + `}]}`,
		"activation needs an Object or External":  `{replicas: {min: 0, max: 9}, metrics: [{type: External, ` + queue + `}, {type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}, activation: 1}]}`,
		"toZeroDelaySeconds belongs to scaleDown": `{replicas: {min: 0, max: 9}, metrics: [{type: External, ` + queue + `}], behavior: {scaleUp: {toZeroDelaySeconds: 5}}}`,
		"formula needs at least one metric":       `{replicas: {max: 9}, metrics: [{type: External, ` + queue + `}], formula: {expression: "a", target: {value: 1}}}`,
		"exactly one of value and averageValue":   `{replicas: {max: 9}, metrics: [{name: a, type: External, ` + queue + `}], formula: {expression: "a", target: {}}}`,
		"a metric needs target or watermarks":     `{replicas: {max: 9}, metrics: [{name: a, type: External, external: {metric: {name: queue_length}}}]}`,
		"are not among the rules of an HPA":       `{compatibility: HPA, replicas: {max: 9}, combine: Min, metrics: [{type: External, ` + queue + `}]}`,
		"must be a name that a formula can use":   `{replicas: {max: 9}, metrics: [{name: my-queue, type: External, ` + queue + `}]}`,
		`Unsupported value: "Sum"`:                `{replicas: {max: 9}, combine: Sum, metrics: [{type: External, ` + queue + `}]}`,
	} {
		t.Run(words, func(t *testing.T) {
			obj := &unstructured.Unstructured{}
			object := `{apiVersion: autoscaling.tidemark.dev/v1alpha1, kind: WorkloadAutoscaler, metadata: {name: web}, spec: ` + spec + `}`
			if err := yaml.Unmarshal([]byte(object), &obj.Object); err != nil {
				t.Fatal(err)
			}
			target := map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
			if err := unstructured.SetNestedMap(obj.Object, target, "spec", "targetRef"); err != nil {
				t.Fatal(err)
			}
			obj.SetNamespace(p.name)
			err := world.Create(t.Context(), obj, client.DryRunAll, client.FieldValidation("Strict"))
			if err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("got %v", err)
			}
		})
	}
}
