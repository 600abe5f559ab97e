// Package allowance knows what a namespace allows its pods: its LimitRanges and its
// quotas.
//
// They are watched, so that a look costs nothing, and nobody waits for the watches:
// where they have not come yet, or the right to them is missing, what a namespace
// allows is not known, and unknown bounds nothing.
package allowance
