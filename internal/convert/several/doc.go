// Package several converts several autoscalers together: a workload that has one for its
// count and one for its size becomes one object, and of two that contradict each other
// none is made.
package several
