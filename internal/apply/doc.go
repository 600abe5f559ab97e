// Package apply is the line where pure code ends: a decision goes in, the
// cluster changes.
//
// The package holds only the port, Applier, and the words it answers in: the
// Outcome, and an Error that says what helps. Each way to act is a package of
// its own below it: scalesub sets the count of pods through the scale
// subresource, resize brings running pods to their decided size, hpatuner keeps
// an existing HorizontalPodAutoscaler tuned, dryrun changes nothing, and route
// chooses among them for an object. What they have to work out is in packages
// that know no client: plan says which pods one round of resizes touches, podsize
// what a decided size means for one pod, and hpa which numbers of an HPA become
// what. New pods get their size by the pod webhook. A new way to act is a new package here; nothing that decides
// has to know of it. Package applytest holds the contract that each of them is
// tested against.
package apply
