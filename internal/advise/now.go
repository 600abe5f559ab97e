package advise

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/convert"
	"github.com/tidemark/tidemark/scale"
)

// present is what scales a workload now.
type present struct {
	// spec is that of the autoscaler of replicas as ours; nil where there is none.
	spec *v1alpha1.WorkloadAutoscalerSpec
	// object is the whole conversion.
	object *v1alpha1.WorkloadAutoscaler
	from   Autoscaler
	// sizes is the conversion of what changes the size of pods; nil where nothing
	// does.
	sizes *convert.Result
	// byCPU is set where cpu alone decides, which is what a replay shows.
	byCPU bool
	// notes are what to know about it.
	notes []string
}

// ours is the kind of the objects that need no conversion.
const ours = "WorkloadAutoscaler"

// sizesOnly are kinds that change the size of pods and not their number.
var sizesOnly = []string{"VerticalPodAutoscaler"}

// presentOf converts the autoscaler of replicas, if there is one that can be
// converted.
func presentOf(w *Workload) present {
	var out present
	for _, a := range w.Autoscalers {
		if slices.Contains(sizesOnly, a.Kind) {
			out.sized(a)
			continue
		}
		if out.spec != nil {
			out.notes = append(out.notes, fmt.Sprintf("%s %s scales it too: only one of them is replayed", a.Kind, a.Name))
			continue
		}
		object, err := objectOf(a)
		if err != nil {
			out.notes = append(out.notes, fmt.Sprintf("%s %s cannot be replayed: %v", a.Kind, a.Name, err))
			continue
		}
		out.object, out.from = object, a
		spec := object.Spec.DeepCopy()
		// What it would do is asked, not what it may.
		spec.Mode, spec.Pause, spec.Actuator = "", nil, ""
		out.spec, out.byCPU = spec, scalesByCPU(spec)
	}
	return out
}

// sized notes what changes the size of pods.
func (is *present) sized(a Autoscaler) {
	result, err := convert.Convert(a.Document)
	object, ok := result.Object.(*v1alpha1.WorkloadAutoscaler)
	switch {
	case err != nil || !ok:
		is.notes = append(is.notes, fmt.Sprintf("%s %s cannot be converted, and is left out: %v", a.Kind, a.Name, err))
	case object.Spec.Mode == v1alpha1.ModeRecommend:
		is.notes = append(is.notes, fmt.Sprintf("%s %s only recommends, and may stay", a.Kind, a.Name))
	default:
		is.sizes = &result
		is.notes = append(is.notes, fmt.Sprintf("%s %s sizes the pods as well, which the replays leave out: once another sizes their cpu, let it have memory alone",
			a.Kind, a.Name))
	}
}

// objectOf is an autoscaler as ours.
func objectOf(a Autoscaler) (*v1alpha1.WorkloadAutoscaler, error) {
	if a.Kind == ours {
		var object v1alpha1.WorkloadAutoscaler
		err := json.Unmarshal(a.Document, &object)
		return &object, err
	}
	result, err := convert.Convert(a.Document)
	if err != nil {
		return nil, err
	}
	object, ok := result.Object.(*v1alpha1.WorkloadAutoscaler)
	if !ok {
		return nil, fmt.Errorf("it is converted to a %T", result.Object)
	}
	return object, nil
}

// scalesByCPU tells whether cpu is all that a spec looks at.
func scalesByCPU(spec *v1alpha1.WorkloadAutoscalerSpec) bool {
	for i := range spec.Metrics {
		m := &spec.Metrics[i]
		switch {
		case m.Resource != nil && m.Resource.Name == scale.CPU.String():
		case m.ContainerResource != nil && m.ContainerResource.Name == scale.CPU.String():
		default:
			return false
		}
	}
	return spec.Formula == nil && (len(spec.Metrics) > 0 || spec.Learn != nil)
}
