package convert

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
	// Joined is set where Object is that of another result, which it was put into.
	Joined bool `json:"-"`
	// Still is set where Object only recommends because nothing that it would act on
	// could be carried, and its original did act.
	Still bool `json:"-"`
	// MadeBy is the ScaledObject that KEDA made the original of, an HPA. It is KEDA's to
	// change, and comes back when it is deleted: the ScaledObject is what to convert.
	MadeBy string `json:"-"`
	Report Report `json:"report"`
}

// ErrUnknownKind says that a document is not of a kind that can be converted.
var ErrUnknownKind = errors.New("is not of a kind that can be converted")

// kind is the identity of a kind of object.
type kind struct{ apiVersion, kind string }

// kinds holds the converter of each kind.
var kinds = map[kind]func(*draft) fault.List{
	{"autoscaling/v2", "HorizontalPodAutoscaler"}:           fromHPA,
	{"autoscaling/v1", "HorizontalPodAutoscaler"}:           fromHPAv1,
	{"autoscaling/v2beta1", "HorizontalPodAutoscaler"}:      fromHPAv2beta1,
	{"autoscaling/v2beta2", "HorizontalPodAutoscaler"}:      fromHPAv2beta2,
	{"datadoghq.com/v1alpha1", "WatermarkPodAutoscaler"}:    fromWPA,
	{"autoscaling.k8s.io/v1alpha1", "Hvpa"}:                 fromHVPA,
	{"autoscaling.gardener.cloud/v1alpha2", "Hvpa"}:         fromHVPA,
	{"autoscaling.mercari.com/v1beta3", "Tortoise"}:         fromTortoise,
	{"autoscaling.mercari.com/v1beta2", "Tortoise"}:         fromTortoise,
	{"autoscaling.mercari.com/v1beta1", "Tortoise"}:         fromTortoise,
	{"autoscaling.mercari.com/v1alpha1", "Tortoise"}:        fromTortoise,
	{"autoscaling.k8s.io/v1", "VerticalPodAutoscaler"}:      fromVPA,
	{"autoscaling.k8s.io/v1beta2", "VerticalPodAutoscaler"}: fromVPA,
	{"autoscaling.k8s.io/v1beta1", "VerticalPodAutoscaler"}: fromVPAv1beta1,
	{keda2, "ScaledObject"}:                                 fromKEDA,
	{keda1, "ScaledObject"}:                                 fromKEDA1,
	{v1alpha1.GroupVersion.String(), "WorkloadAutoscaler"}:  toHPA,
	{zcloudVersion, zcloudKind}:                             fromZcloud,
}

// IsKind tells whether some version of a kind can be converted. Capitals are
// overlooked, so that who is asked for such an object can say what is wrong with it.
func IsKind(word string) bool {
	for k := range kinds {
		if k.kind == word || k.apiVersion != zcloudVersion && strings.EqualFold(k.kind, word) {
			return true
		}
	}
	return false
}

// unknown says what is wrong with the version of a kind that is converted, so that
// nobody takes silence for the absence of autoscalers.
func (k kind) unknown() error {
	var versions []string
	name := ""
	for known := range kinds {
		if known.apiVersion != zcloudVersion && strings.EqualFold(known.kind, k.kind) {
			name, versions = known.kind, append(versions, known.apiVersion)
		}
	}
	slices.Sort(versions)
	switch {
	case name == "":
		return ErrUnknownKind
	case !slices.Contains(versions, k.apiVersion):
		return fault.List{{Path: "apiVersion", Message: fmt.Sprintf("%q is not read: a %s is read of %s", k.apiVersion, name, strings.Join(versions, ", "))}}
	}
	return fault.List{{Path: "kind", Message: fmt.Sprintf("must be %s, got %q", name, k.kind)}}
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
		return Result{}, d.kind.unknown()
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
	out := Result{Object: &d.out, Report: d.report(), MadeBy: d.madeByKEDA(), Still: d.still}
	if d.kind.kind == "ScaledObject" {
		out.Beside = d.keptByKEDA()
	}
	return out, nil
}
