// Package apply is the line where pure code ends: a decision goes in, the
// cluster changes.
//
// The package holds only the port, Applier, and the words it answers in. Each
// way to act is a package of its own below it: dryrun changes nothing, and hpa
// knows how an existing HorizontalPodAutoscaler is kept tuned. A new way to
// act is a new package here; nothing that decides has to know of it.
package apply
