// Package feed is what the pages show: workloads, how they went, and why. A
// cluster, a replay and the demo each give the same, so that a page does not know
// which of them it looks at.
//
// A History keeps every decision of a workload in columns of numbers, and gives a
// window of it in as few columns as a screen has: the smallest and the largest
// value of each, so that no peak vanishes. It keeps a summary of the last day
// beside it.
package feed
