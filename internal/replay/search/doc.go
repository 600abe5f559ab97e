// Package search searches for better numbers of a policy by replaying it.
//
// A Space is the numbers of a spec that may be changed, and the values each may
// take. An Objective says which of two scores is better. Search tries
// candidates on the first part of a recording, beginning with the policy as it
// is; the last part is held out and shows whether what was found is more than
// luck. The same seed and the same number of evaluations find the same.
package search
