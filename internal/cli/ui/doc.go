// Package ui is the verb that shows pages: the fleet, its workloads over time, and
// each decision with its reasons.
package ui
