package convert

import (
	"errors"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// Result is a converted object and what became of each field of the input.
type Result struct {
	// Object is a *v1alpha1.WorkloadAutoscaler, or the
	// *autoscalingv2.HorizontalPodAutoscaler that one was turned back into.
	Object any `json:"-"`
	// Beside is what is left of the original, for its own controller to look after,
	// pointed at Object; nil where nothing is.
	Beside map[string]any `json:"-"`
	Report Report         `json:"report"`
}

// ErrUnknownKind says that a document is not of a kind that can be converted.
var ErrUnknownKind = errors.New("is not of a kind that can be converted")

// kind is the identity of a kind of object.
type kind struct{ apiVersion, kind string }

// kinds holds the converter of each kind.
var kinds = map[kind]func(*draft) fault.List{
	{"autoscaling/v2", "HorizontalPodAutoscaler"}:          fromHPA,
	{"autoscaling/v1", "HorizontalPodAutoscaler"}:          fromHPAv1,
	{"autoscaling/v2beta1", "HorizontalPodAutoscaler"}:     fromHPAv2beta1,
	{"autoscaling/v2beta2", "HorizontalPodAutoscaler"}:     fromHPAv2beta2,
	{"datadoghq.com/v1alpha1", "WatermarkPodAutoscaler"}:   fromWPA,
	{"autoscaling.k8s.io/v1alpha1", "Hvpa"}:                fromHVPA,
	{"autoscaling.gardener.cloud/v1alpha2", "Hvpa"}:        fromHVPA,
	{"autoscaling.mercari.com/v1beta3", "Tortoise"}:        fromTortoise,
	{"autoscaling.mercari.com/v1beta2", "Tortoise"}:        fromTortoise,
	{"autoscaling.mercari.com/v1beta1", "Tortoise"}:        fromTortoise,
	{"autoscaling.mercari.com/v1alpha1", "Tortoise"}:       fromTortoise,
	{"autoscaling.k8s.io/v1", "VerticalPodAutoscaler"}:     fromVPA,
	{"keda.sh/v1alpha1", "ScaledObject"}:                   fromKEDA,
	{v1alpha1.GroupVersion.String(), "WorkloadAutoscaler"}: toHPA,
	{zcloudVersion, zcloudKind}:                            fromZcloud,
}

// Convert converts one document, given as JSON. The error is ErrUnknownKind,
// or a fault.List whose paths are those of the document.
func Convert(document []byte) (Result, error) {
	tree, err := parse(document)
	if err != nil {
		return Result{}, err
	}
	d := newDraft(tree)
	if isZcloud(tree) {
		d.respell()
	}
	converter, ok := kinds[d.kind]
	if !ok {
		return Result{}, ErrUnknownKind
	}
	if faults := converter(d); len(faults) > 0 {
		return Result{}, d.asSpelled(faults)
	}
	if d.back != nil {
		return Result{Object: d.back, Report: d.report()}, nil
	}
	if faults := d.settle(); len(faults) > 0 {
		return Result{}, d.asSpelled(faults)
	}
	out := Result{Object: &d.out, Report: d.report()}
	if d.kind.kind == "ScaledObject" {
		out.Beside = d.keptByKEDA()
	}
	return out, nil
}
