package policy

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// refuseUnbuilt names each field whose stage does not exist in this version.
// Accepting them would mean a policy that silently does less than it says.
func (c *compiler) refuseUnbuilt() {
	s := &c.spec
	if s.Vertical != nil && s.Intervals == nil && len(s.Containers) == 0 {
		c.faults.Add("vertical", "needs containers or intervals: nothing else is sized")
	}
	if s.Actuator != "" && s.Actuator != v1alpha1.ActuatorScale {
		c.unbuilt("actuator", "tuning an existing HPA is")
	}
	if s.HPAName != "" {
		c.unbuilt("hpaName", "tuning an existing HPA is")
	}
}

func (c *compiler) unbuilt(path fault.Path, what string) {
	c.faults.Add(path, "%s not available in this version: remove the field", what)
}
