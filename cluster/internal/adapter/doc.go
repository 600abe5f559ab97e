// Package adapter serves custom.metrics.k8s.io and external.metrics.k8s.io
// with values out of a ConfigMap, so that every reader of these APIs sees the
// very same, scripted numbers. A change is served as soon as it is watched.
package adapter
