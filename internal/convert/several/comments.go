package several

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/convert"
)

// comments are what has to be known before an object is applied: that nothing acts
// until somebody does, who sizes what where two became one, and what is not carried.
func comments(r *Conversion, joined []Conversion) []string {
	var out []string
	object, ours := r.Object.(*v1alpha1.WorkloadAutoscaler)
	if ours && r.Still && object.Spec.Mode == v1alpha1.ModeRecommend {
		out = append(out, still(r))
	}
	losses := r.Report.Losses()
	for i := range joined {
		if ours && joined[i].Sizes() && len(object.Spec.Containers) > 0 {
			out = append(out, shared(&r.Report, &joined[i].Report, object))
		}
		losses = append(losses, joined[i].Report.Losses()...)
	}
	for _, f := range losses {
		out = append(out, fmt.Sprintf("Not carried: %s: %s", OneLine(f.Path), OneLine(f.Note)))
	}
	return out
}

func still(r *Conversion) string {
	const text = "Nothing scales this workload until you act: the mode is Recommend, because none of the metrics could be carried."
	if r.Beside == nil {
		return text + " Set it to Auto when the object has a metric to act on."
	}
	return text + " The ScaledObject below asks this object, which does not follow yet: apply both, see in the status what it would do, and set the mode to Auto."
}

// shared says who decides about what in an object that was two.
func shared(count, size *convert.Report, object *v1alpha1.WorkloadAutoscaler) string {
	by := map[v1alpha1.ResourceScaling][]string{}
	for i := range object.Spec.Containers {
		c := &object.Spec.Containers[i]
		for _, of := range []struct {
			name   string
			policy *v1alpha1.ResourcePolicy
		}{{"cpu", c.CPU}, {"memory", c.Memory}} {
			if of.policy != nil && !slices.Contains(by[of.policy.Scaling], of.name) {
				by[of.policy.Scaling] = append(by[of.policy.Scaling], of.name)
			}
		}
	}
	text := fmt.Sprintf("One object for %s %s and %s %s.", count.Kind, OneLine(count.Name), size.Kind, OneLine(size.Name))
	if names := by[v1alpha1.ResourceScalingHorizontal]; len(names) > 0 {
		text += " The count of pods follows " + strings.Join(names, " and ") + ", which is sized only where the count cannot go further."
	}
	if names := by[v1alpha1.ResourceScalingVertical]; len(names) > 0 {
		text += " The size of pods follows " + strings.Join(names, " and ") + "."
	}
	return text + " Remove both originals when it acts."
}
