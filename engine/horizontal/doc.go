// Package horizontal turns metrics into a desired replica count.
//
// Each metric proposes a count from its band (Propose), the largest proposal
// wins, and a metric without a usable sample can hold or raise the count but
// never lower it. The rules are those of the Watermark KEP for bands and of
// the replica algorithm the upstream HPA and zcloud describe for missing and
// not-ready pods, with exact arithmetic and a direction guard that is always
// on.
//
// With Rules.Upstream set, the same inputs go through the upstream HPA's own
// arithmetic instead (upstream.go), so that a user can move without any
// change of behavior.
package horizontal
