// Package fleet replays policies over a folder of recordings, one for each
// workload, several at once.
//
// A fleet that is too large for one machine is cut into shards: each replays
// every n-th workload, and Merge puts their results together. Totals are always
// made anew from the rows of the workloads in their order, so a merged result is
// the result of one run, digit by digit.
package fleet
