package convert

import (
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/policy"
)

// counting are the kinds whose objects decide about a count, and can share an object
// of ours with one that decides about a size.
var counting = map[string]bool{"HorizontalPodAutoscaler": true, "ScaledObject": true, "WatermarkPodAutoscaler": true}

// Counts tells whether a result decides about the count of pods alone.
func (r *Result) Counts() bool { return counting[r.Report.Kind] }

// Sizes tells whether a result decides about the size of pods alone.
func (r *Result) Sizes() bool { return r.Report.Kind == "VerticalPodAutoscaler" }

// Target is the workload of a result; empty where it is not an object of ours.
func (r *Result) Target() v1alpha1.TargetReference {
	if object, ok := r.Object.(*v1alpha1.WorkloadAutoscaler); ok {
		return object.Spec.TargetRef
	}
	return v1alpha1.TargetReference{}
}

// Join puts the sizes of one result into the object of another that decides about the
// count of the same workload, because two objects for one workload undo each other's
// work. Both results have that object then, and their reports say what was changed
// for it. The error says why the two cannot share an object; neither is changed then.
func Join(count, size *Result) error {
	counts, ok := count.Object.(*v1alpha1.WorkloadAutoscaler)
	sizes, both := size.Object.(*v1alpha1.WorkloadAutoscaler)
	if !ok || !both {
		return fault.List{{Message: "only objects of ours can be joined"}}
	}
	if sizes.Spec.Mode == v1alpha1.ModeRecommend {
		// It changes nothing, and an object that acts has no place for that.
		size.Object, size.Joined = counts, true
		size.Report.stays()
		return nil
	}
	joined := counts.DeepCopy()
	joined.Spec.Vertical, joined.Spec.Containers = sizes.Spec.Vertical, sizes.DeepCopy().Spec.Containers
	changed := countFirst(&joined.Spec)
	if _, err := policy.Compile(joined.Spec, v1alpha1.AdminSettings{}); err != nil {
		return err
	}
	count.Object, size.Object, size.Joined = joined, joined, true
	size.Report.moves(count.Report.Kind)
	size.Report.Fields = append(size.Report.Fields, changed...)
	count.Report.shares(&size.Report, "spec.containers")
	size.Report.shares(&count.Report, "spec.metrics")
	return nil
}

// shares says that a part of the object is that of another. It names the part, so that
// it speaks for nothing else.
func (r *Report) shares(other *Report, part string) {
	r.Fields = append(r.Fields, Field{Fate: Default, To: part, Note: "shares the object with the " + other.Kind + " " + other.Name + " of the same workload"})
}

// stays says that nothing of an object that only recommends is carried.
func (r *Report) stays() {
	var out []Field
	for _, f := range r.Fields {
		switch f.Path {
		case "spec.updatePolicy.updateMode":
			f = Field{Path: f.Path, Lost: true, Note: "only recommends, and the object of this workload acts: keep the VPA as it is, which changes nothing"}
		case "":
			continue
		default:
			f = Field{Path: f.Path, Note: "stays with the VPA"}
		}
		f.Fate = NotCarried
		out = append(out, f)
	}
	r.Fields = out
}

// moves says that an object has the maximum, the name and the labels of another.
func (r *Report) moves(kind string) {
	var out []Field
	for _, f := range r.Fields {
		if strings.HasPrefix(f.To, "metadata.") {
			f = Field{Path: f.Path, Fate: NotCarried, Note: "the object has that of the " + kind}
		}
		if f.To != "spec.replicas.max" || f.Fate != Default {
			out = append(out, f)
		}
	}
	r.Fields = out
}

// countFirst has a resource with a metric scaled by count, and by size only where the
// count cannot go further: by both at once, each would undo what the other does.
func countFirst(spec *v1alpha1.WorkloadAutoscalerSpec) []Field {
	counted := map[string]bool{}
	for i := range spec.Metrics {
		if m := &spec.Metrics[i]; m.Resource != nil {
			counted[m.Resource.Name] = true
		} else if m.ContainerResource != nil {
			counted[m.ContainerResource.Name] = true
		}
	}
	if len(spec.Metrics) == 0 && spec.Compatibility == v1alpha1.CompatibilityHPA {
		counted["cpu"] = true // as Kubernetes has it for an HPA without metrics
	}
	var out []Field
	for i := range spec.Containers {
		for _, name := range []string{"cpu", "memory"} {
			p := map[string]*v1alpha1.ResourcePolicy{"cpu": spec.Containers[i].CPU, "memory": spec.Containers[i].Memory}[name]
			if p == nil || !counted[name] || p.Scaling != v1alpha1.ResourceScalingVertical {
				continue
			}
			p.Scaling = v1alpha1.ResourceScalingHorizontal
			out = append(out, Field{Fate: Default, To: string(fault.Path("spec.containers").Index(i).Field(name).Field("scaling")), Affects: AffectsAll,
				Note: "is Horizontal, because a metric is on " + name + ": it is scaled by count, and by size where the count cannot go further"})
		}
	}
	return out
}
