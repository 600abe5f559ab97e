// Package lint finds what is wrong with autoscalers and the workloads they
// point to: what a cluster would refuse, what it would accept although nothing
// can come of it, and what works but surprises.
//
// Read takes manifests apart into facts: who scales what, by which metrics,
// within which bounds, and what the pods ask for. Facts are small, so that the
// memory of a run depends on the largest document and not on all of them.
// Check then asks every rule. A rule is a value in a visible list with a
// stable id; adding one takes an entry in the list of its family and two
// examples, one that triggers it and one that does not.
//
// Objects are matched within their namespace. Objects that name none are
// matched within their folder, because two folders of manifests are usually
// two variants of one thing and not two things in one place.
//
// The package reads no files and has no client.
package lint
