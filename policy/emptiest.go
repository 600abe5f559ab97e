package policy

// emptiestFirst tells whether the pods with the least to do go first.
func (c *compiler) emptiestFirst() bool {
	b := c.spec.Behavior
	if b == nil {
		return false
	}
	if b.ScaleUp != nil && b.ScaleUp.EmptiestFirst != nil {
		c.faults.Add("behavior.scaleUp.emptiestFirst", "belongs to scaleDown: no pod goes on the way up")
	}
	if b.ScaleDown == nil || b.ScaleDown.EmptiestFirst == nil || !*b.ScaleDown.EmptiestFirst {
		return false
	}
	const path = "behavior.scaleDown.emptiestFirst"
	switch {
	case c.spec.TargetRef.Kind == "StatefulSet":
		c.faults.Add(path, "has no effect on a StatefulSet, which always removes the pod with the highest number: remove it")
	case c.spec.HPAName != "":
		c.faults.Add(path, "needs actuator Scale: with HPA the HPA removes pods when it wants to")
	}
	return true
}
