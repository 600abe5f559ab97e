package policy

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// refuseUnbuilt names each field whose stage does not exist in this version.
// Accepting them would mean a policy that silently does less than it says.
func (c *compiler) refuseUnbuilt() {
	s := &c.spec
	if s.Learn != nil {
		c.unbuilt("learn", "learning from history is")
	}
	if s.Intervals != nil {
		c.unbuilt("intervals", "total-resource intervals are")
	}
	if len(s.Containers) > 0 {
		c.unbuilt("containers", "vertical scaling is")
	}
	if s.Vertical != nil {
		c.unbuilt("vertical", "vertical scaling is")
	}
	if len(s.MaintenanceWindows) > 0 {
		c.unbuilt("maintenanceWindows", "maintenance windows are")
	}
	if s.Actuator != "" && s.Actuator != v1alpha1.ActuatorScale {
		c.unbuilt("actuator", "tuning an existing HPA is")
	}
	if s.HPAName != "" {
		c.unbuilt("hpaName", "tuning an existing HPA is")
	}
	if b := s.Behavior; b != nil {
		c.refuseUnbuiltRules("behavior.scaleUp", b.ScaleUp)
		c.refuseUnbuiltRules("behavior.scaleDown", b.ScaleDown)
	}
}

func (c *compiler) refuseUnbuiltRules(path fault.Path, r *v1alpha1.ScalingRules) {
	if r == nil {
		return
	}
	if r.Update != "" && r.Update != v1alpha1.UpdateAuto {
		c.unbuilt(path.Field("update"), "holding a direction back is")
	}
	if len(r.MinChange) > 0 {
		c.unbuilt(path.Field("minChange"), "a smallest change is")
	}
}

func (c *compiler) unbuilt(path fault.Path, what string) {
	c.faults.Add(path, "%s not available in this version: remove the field", what)
}
