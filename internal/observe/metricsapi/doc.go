// Package metricsapi reads the metrics APIs of Kubernetes: metrics.k8s.io for
// what pods use, custom.metrics.k8s.io for metrics of pods and other objects,
// and external.metrics.k8s.io for the rest.
//
// Everything is asked for by namespace and goes through the shared snapshot. The
// usage of all pods of a namespace is one list, whether one or a thousand
// objects look at it; so is a metric of all its pods. Where objects of many
// namespaces look, the usage of the pods of all of them is one list. A list is
// turned into amounts once, when it arrives, and only those are kept.
//
// A value that cannot be used stays visible as one: it is marked, and neither
// dropped nor turned into a number. Times of measurement are kept, because
// nobody else can tell an old value from a new one.
package metricsapi
