// Package convert turns the objects of other autoscalers into
// WorkloadAutoscalers, and a WorkloadAutoscaler back into a
// HorizontalPodAutoscaler, or into zcloud's JSON resource, as far as they can
// say the same.
//
// Every field of the input is accounted for in a report: carried, carried with
// another meaning, or not carried, each with the reason. Where the original
// has a default that differs from ours, the output states it, so that moving
// an object does not change what it does. What could not work is reported and
// left out; what comes out always compiles. A line of the report also says
// which decisions it may change, and package proof holds it to that.
//
// Adding a kind takes one file with its types and its converter, and one line
// in kinds.
package convert
