// Package observe is the line where pure code begins: the cluster is looked at,
// whole, and becomes one observation.
//
// The package holds only the port, Observer, and the words it answers in. live is
// the Observer of the controller, and each place to look is a package of its own:
// target reads what a workload says of its size, pods finds its pods through
// their owners, metricsapi reads the metrics APIs of Kubernetes, kubelet asks the
// kubelets themselves, prometheus asks a Prometheus server, vpa reads
// VerticalPodAutoscaler objects and recommender asks an HTTP service. snapshot keeps one answer to each question for all
// objects. podview and quantity turn what Kubernetes wrote into what a decision
// sees. Nothing that decides has to know of any of them. Package observetest
// holds the contract that an Observer is tested against.
package observe
