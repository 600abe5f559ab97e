package policy

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/fault"
)

// fallbacks are the words for what a metric falls back to.
var fallbacks = map[v1alpha1.FallbackBehavior]horizontal.MissingPolicy{
	v1alpha1.FallbackStatic: horizontal.Static, v1alpha1.FallbackCurrent: horizontal.Current,
	v1alpha1.FallbackCurrentIfHigher: horizontal.CurrentIfHigher, v1alpha1.FallbackCurrentIfLower: horizontal.CurrentIfLower,
}

// onMissing compiles what a metric without a sample asks for.
func (c *compiler) onMissing(path fault.Path, on *v1alpha1.OnMissing) horizontal.OnMissing {
	switch {
	case on == nil || on.Policy == v1alpha1.OnMissingHold:
		return horizontal.OnMissing{}
	case on.Policy == v1alpha1.OnMissingIgnore:
		return horizontal.OnMissing{Policy: horizontal.Ignore}
	}
	out := horizontal.OnMissing{Policy: horizontal.FallBack}
	if on.Behavior != "" || on.AfterSeconds != nil {
		// Nothing is lowered unless it is asked for by name.
		out.Policy = horizontal.CurrentIfHigher
	}
	if on.Behavior != "" {
		oneOf(c, path.Field("behavior"), on.Behavior, v1alpha1.FallbackStatic, v1alpha1.FallbackCurrent, v1alpha1.FallbackCurrentIfHigher,
			v1alpha1.FallbackCurrentIfLower)
		out.Policy = fallbacks[on.Behavior]
	}
	if on.AfterSeconds != nil {
		out.After = c.seconds(path.Field("afterSeconds"), *on.AfterSeconds, 0, maxWaitSeconds)
	}
	switch {
	case on.Replicas == nil && on.Behavior != v1alpha1.FallbackCurrent:
		c.faults.Add(path, "must be Hold, Ignore or {replicas: N}; only with behavior: Current it needs no replicas")
	case on.Replicas != nil && *on.Replicas < 0:
		c.faults.Add(path.Field("replicas"), "must not be negative, got %d", *on.Replicas)
	case on.Replicas != nil:
		out.Replicas = *on.Replicas
	}
	return out
}
