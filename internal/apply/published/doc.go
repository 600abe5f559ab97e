// Package published shows the size that was decided for a workload's pods to others,
// as a VerticalPodAutoscaler that recommends it and changes nothing. Node autoscalers
// that read those can tell how large a pod will be before it is created.
//
// Nothing depends on it: where the object cannot be written, that is told, and the
// workload is scaled all the same.
package published
