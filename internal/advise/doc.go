// Package advise says what another autoscaler would do for a workload, and how
// sure that is.
//
// A Workload is what scales now, a Past what Prometheus knows of it. Judge
// replays both: what runs now, the recommended policy and the best HPA, all of
// them in the same honest plant and within the same bounds. An Advice is what it
// found, with a verdict in a sentence and everything that speaks against it: data
// that is too short, demand that full pods have hidden, a present autoscaler whose
// replay is not what the replicas really did.
//
// The package asks nobody and writes no file. Package inventory finds workloads
// and their past, the command line prints.
package advise
