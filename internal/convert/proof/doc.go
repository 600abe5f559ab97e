// Package proof compares the decisions of an object of another autoscaler with
// those of the object it was converted to.
//
// Both sides look at the same samples: loads from nothing to ten times too
// much, at the minimum, in the middle and at the maximum, with metrics missing
// and with pods that are not ready. Each load has lasted for hours, so that
// windows, delays and stabilization are over and only the rules speak.
//
// The side of the original does not go through package convert. An HPA, and
// what acts through one, is decided by the engine under the HPA's own rules,
// whose equality with the upstream controller is tested elsewhere; its fields
// are taken from the original as they stand. A WatermarkPodAutoscaler has its
// own arithmetic, which is written down here. Where a decision of the original
// cannot be computed, the comparison says why, and shows ours alone.
//
// A difference that the report of the conversion announces is explained by it.
// One that it does not is a fault of the conversion.
package proof
