// Package lint is the verb that finds what is wrong with autoscalers and their
// workloads, in files, on standard input or in a live cluster.
package lint
