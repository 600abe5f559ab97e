package convert

import (
	"cmp"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// vpaUpdatePolicy says how and when a VPA changes pods that run.
type vpaUpdatePolicy struct {
	UpdateMode           string                         `json:"updateMode"`
	MinReplicas          *int32                         `json:"minReplicas"`
	EvictionRequirements []v1alpha1.EvictionRequirement `json:"evictionRequirements"`
}

// What the VPA's own programs do unless they are told otherwise.
const (
	vpaMinReplicas    = 2
	vpaOOMBumpPercent = 20
	vpaOOMMinBumpUp   = "100Mi"
)

// vpaDisruption carries what protects pods that run. It is for those that are replaced.
func (d *draft) vpaDisruption(in *vpaUpdatePolicy) {
	const least, requirements = fault.Path("spec.updatePolicy.minReplicas"), fault.Path("spec.updatePolicy.evictionRequirements")
	d.drop("spec.updatePolicy.evictAfterOOMSeconds", "has no counterpart: more memory for a pod that ran out of it waits for nothing here")
	out := d.out.Spec.Vertical
	if out == nil || out.Update == v1alpha1.VerticalUpdateInitial {
		const never = "is about pods that are replaced, and here none is"
		d.leave(least, never)
		d.leave(requirements, never)
		return
	}
	if out.MinReplicas = in.MinReplicas; out.MinReplicas == nil {
		out.MinReplicas = new(int32(vpaMinReplicas))
		d.assume("spec.vertical.minReplicas", "is %d unless the VPA's updater is told otherwise by --min-replicas", vpaMinReplicas)
	}
	d.carry(least, "spec.vertical.minReplicas")
	d.carry(requirements, "spec.vertical.evictionRequirements")
	if out.Update != v1alpha1.VerticalUpdateRecreate {
		const inPlace = "does not hold back a resize in place that restarts nothing; a VPA asks for it there too"
		d.change(least, "spec.vertical.minReplicas", inPlace)
		d.change(requirements, "spec.vertical.evictionRequirements", inPlace)
	}
	if out.Update == v1alpha1.VerticalUpdateInPlace {
		d.drop(requirements, "hold back evictions, and InPlace has none; a VPA asks for them before a resize too")
		return
	}
	out.EvictionRequirements = in.EvictionRequirements
}

// vpaOutOfMemory carries what a container needs that ran out of memory: a ratio of what
// it had, and at least so much more.
func (d *draft) vpaOutOfMemory(from, to fault.Path, in *vpaContainer, out *v1alpha1.ContainerPolicy) {
	const ratio, least = "oomBumpUpRatio", "oomMinBumpUp"
	switch {
	case in.OOMBumpUpRatio == nil && in.OOMMinBumpUp == nil:
		return
	case out.Memory.Scaling == v1alpha1.ResourceScalingOff:
		d.leave(from.Field(ratio), "memory is not scaled")
		d.leave(from.Field(least), "memory is not scaled")
		return
	}
	to = to.Field("oomBumpUp")
	bump := &v1alpha1.ChangeParams{Value: cmp.Or(in.OOMMinBumpUp, new(resource.MustParse(vpaOOMMinBumpUp))), Percentage: new(int32(vpaOOMBumpPercent))}
	d.carry(from.Field(least), to)
	d.carry(from.Field(ratio), to)
	if in.OOMBumpUpRatio != nil {
		percent, whole := percentAbove(*in.OOMBumpUpRatio)
		if bump.Percentage = &percent; !whole {
			d.change(from.Field(ratio), to, "is %d percent more: a whole percentage, rounded up", percent)
		}
	}
	out.OOMBumpUp = bump
}

// percentAbove is by how many percent a ratio is above 1, rounded up, and whether
// nothing was rounded.
func percentAbove(ratio resource.Quantity) (percent int32, whole bool) {
	milli := max(ratio.MilliValue()-1000, 0)
	return int32(min((milli+9)/10, 1<<20)), milli%10 == 0
}
