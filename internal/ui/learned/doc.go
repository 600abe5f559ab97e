// Package learned is what a workload's policy learned of it, and whether that came
// true: a replay of the policy is asked, as far as the demand is known.
//
// The week is read off slots that are taught with the same counts by the same code as
// the policy's own. What was said of demand that may come is compared with what came.
package learned
