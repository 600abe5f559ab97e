// Package ui is a map of the pages that `tidemark ui` shows; there is nothing to
// import here.
//
//	feed      what the pages show, wherever it comes from: one form for all
//	replayed  a feed of recorded demand under policies, in virtual time
//	watched   a feed of the objects of a cluster, as their status says it
//	past      what Prometheus knows of a workload from before that
//	town      a feed of a small made-up fleet that lives while one looks
//	probe     which value of a metric would change a decision: it asks the engine
//	script    a decision as a .scale script
//	whatif    an edited object replayed beside the present one and the best HPA
//	learned   what a policy learned of a workload, and whether that came true
//	live      workloads of a cluster that can be replayed
//	migrate   objects of other autoscalers beside their conversions
//	decided   all that is said of one decision
//	server    HTTP: who may ask, how much, and the answers
//	access    who brings a token of the cluster, and what they may see
//	changes   changes of objects, as whoever asks
//	web       the pages themselves: sources, libraries of others, and the bundle
//	browser   tests of the pages in a real browser
//
// A page computes nothing that a decision says: words and numbers are those of
// package explain, so that what is read here is what is read everywhere.
package ui
