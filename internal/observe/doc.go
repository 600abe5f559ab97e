// Package observe is the line where pure code begins: the cluster is looked at,
// whole, and becomes one observation.
//
// The package holds only the port, Observer, and the words it answers in. Each
// place to look is a package of its own below it: pods finds a workload's pods
// through their owners, metricsapi reads the metrics APIs of Kubernetes, kubelet
// asks the kubelets themselves, prometheus asks a Prometheus server, vpa reads VerticalPodAutoscaler objects
// and recommender asks an HTTP service. Nothing that decides has to know of
// them.
package observe
