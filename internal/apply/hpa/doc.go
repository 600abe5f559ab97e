// Package hpa says which numbers of a HorizontalPodAutoscaler a tuning sets: its
// minimum, its maximum and the target utilizations of its containers. The HPA
// alone scales. It is pure; package hpatuner reads and writes the object.
//
// Seen returns what a decision may know of an HPA, and Keep is a pure function
// from an HPA to the same HPA with other numbers, and the list of those numbers.
// It follows the Tortoise design ("Supported metrics in HPA"): metrics of type
// ContainerResource are tuned, and External metrics whose name is a prefix, given
// in an annotation of the HPA, and the name of a container; metrics of whole pods
// are too, where those have one container. Each of these annotations is read:
//
//	autoscaling.tidemark.dev/container-based-cpu-metric-prefix
//	autoscaling.tidemark.dev/container-based-memory-metric-prefix
//	tortoises.autoscaling.mercari.com/container-based-cpu-metric-prefix
//	tortoises.autoscaling.mercari.com/container-based-memory-metric-prefix
//
// # What is given back
//
// Keep notes what it found in an annotation of the HPA, with what it set instead.
// What a tuning has no opinion on any more gets back what was found, and GiveBack
// does that for everything. Where a number is not what we set last, somebody else
// has changed it: it is theirs, and is left alone.
//
// # What is never touched
//
// Everything else in the HPA is its owner's. No metric is removed: Tortoise
// deletes those of type Resource. No metric is added either: that would change
// what its owner scales on, and the design only speaks of adjusting what is
// there. Missing names the targets that found no metric, so that someone can
// be told.
//
// # What is never written
//
// An HPA that the API server would refuse is never made from one that it
// accepted. Where a tuning asks for too much, the maximum wins over the
// minimum, because a maximum may be an administrator's (reading T3). A maximum
// below the present count of pods is written as it was asked for: bounds hold
// at once here as they do when Tidemark scales by itself (reading S9), and only
// who decides may soften that. The readings are in docs/readings.md.
package hpa
