package convert

import (
	"strconv"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// kedaPause carries one of the annotations that pause. They come in the order of
// their names, so that a count goes over a plain pause, and neither is undone by
// one of a direction.
func (d *draft) kedaPause(from fault.Path, name, value string) {
	pause := d.out.Spec.Pause
	// To KEDA a text that is neither true nor false asks for a pause.
	on, unclear := strconv.ParseBool(value)
	switch count, err := strconv.ParseInt(value, 10, 32); {
	case name == "paused-replicas" && (err != nil || count < 0):
		d.leave(from, "is no count, so KEDA does not pause by it either")
		d.affects(from, AffectsAll)
	case name == "paused-replicas":
		d.carry(from, "spec.pause.replicas")
		d.out.Spec.Pause = &v1alpha1.Pause{Replicas: new(int32(count))}
	case unclear == nil && !on:
		d.leave(from, "does not pause")
	case name == "paused":
		d.carry(from, "spec.pause")
		d.out.Spec.Pause = &v1alpha1.Pause{}
	case pause == nil && name == "paused-scale-in":
		d.carry(from, "spec.pause.directions")
		d.out.Spec.Pause = &v1alpha1.Pause{Directions: v1alpha1.PauseIn}
	case pause == nil:
		d.carry(from, "spec.pause.directions")
		d.out.Spec.Pause = &v1alpha1.Pause{Directions: v1alpha1.PauseOut}
	case pause.Directions == v1alpha1.PauseIn:
		d.carry(from, "spec.pause.directions")
		pause.Directions = v1alpha1.PauseBoth
	default:
		d.carry(from, "spec.pause")
	}
}
