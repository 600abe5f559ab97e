// Package rivals are other autoscalers, as far as their authors have published
// how they decide, to be replayed beside ours: Autopilot, Knative's KPA, the
// Captain of Autothrottle, Crane's EffectiveHPA, predictive scaling as AWS
// describes it, and an HPA that acts by resizing pods.
//
// Each is written anew from its paper, its documentation or its public code, with
// the defaults found there. Where a default is not public, or a plant has no such
// thing, the file says what stands for it. They see a plant through View alone,
// and act through the same Decision as everyone, so pods start and are resized as
// they are for us.
//
// Most of them are defined in floating-point numbers, and so are they here. Like
// everything in a replay they read no clock and roll no dice.
package rivals
