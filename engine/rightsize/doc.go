// Package rightsize sizes pods while metrics decide their number.
//
// Each resource of a container is scaled horizontally, vertically, or not at
// all. A vertical one follows its recommendation. A horizontal one keeps its
// size, with two exceptions: at the preferred maximum of replicas, and at the
// maximum itself, the bottleneck grows instead of the count, and at the minimum
// of replicas the pods shrink instead. So a workload that has outgrown its pods gets bigger
// ones, once, and next day scales in numbers again. This is the container
// right-sizing of the Tortoise design (docs/readings.md, T4).
package rightsize
