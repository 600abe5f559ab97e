package convert

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// vpaBoost is a VPA's startupBoost.
type vpaBoost struct {
	CPU *struct {
		Type            string             `json:"type"`
		Factor          *int32             `json:"factor"`
		Quantity        *resource.Quantity `json:"quantity"`
		DurationSeconds *int32             `json:"durationSeconds"`
	} `json:"cpu"`
}

// Bounds of a boost here.
const (
	mostBoostFactor  = 100
	mostBoostSeconds = 3600
)

// vpaBoosts carries the boost of a whole pod to the containers that have none of their
// own.
func (d *draft) vpaBoosts(of *vpaBoost, own []vpaContainer) {
	const from = fault.Path("spec.startupBoost")
	boost := d.vpaBoost(from, "spec.containers", of)
	if boost == nil {
		return
	}
	for i := range d.out.Spec.Containers {
		// The policies of the VPA come first, in its order; what follows is for the rest.
		if i >= len(own) || own[i].StartupBoost == nil {
			d.out.Spec.Containers[i].Boost = boost.DeepCopy()
		}
	}
}

// vpaBoost carries a boost; nil where there is none, or none that can be.
func (d *draft) vpaBoost(from, to fault.Path, in *vpaBoost) *v1alpha1.StartupBoost {
	if in == nil || in.CPU == nil {
		return nil
	}
	out, cpu := &v1alpha1.StartupBoost{}, from.Field("cpu")
	switch c := in.CPU; {
	case c.Type == "Factor" && c.Factor != nil && *c.Factor >= 1 && *c.Factor <= mostBoostFactor:
		out.Factor = resource.NewQuantity(int64(*c.Factor), resource.DecimalSI)
		d.carry(from, to)
	case c.Type == "Quantity" && c.Quantity != nil && c.Quantity.MilliValue() > 0:
		out.Quantity = c.Quantity
		d.change(from, to, "raises a limit in proportion to the request, where a VPA sets both to the quantity")
	default:
		d.drop(from, "is none that can be given: it needs type Factor with a factor from 1 to 100, or type Quantity with a quantity above 0")
		return nil
	}
	if s := in.CPU.DurationSeconds; s != nil && *s != 0 {
		if *s < 0 || *s > mostBoostSeconds {
			d.drop(cpu.Field("durationSeconds"), "must be between 0 and %d: the boost ends when a pod is ready", mostBoostSeconds)
			return out
		}
		out.ForSeconds = s
	}
	return out
}
