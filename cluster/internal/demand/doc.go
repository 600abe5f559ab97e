// Package demand shares the work of a workload over its pods, as a load
// balancer would: the total stands in an annotation of the Deployment or
// StatefulSet, each ready pod gets an even part of it as its usage, and a pod
// that is not ready gets none. So the usage of each pod falls when pods are
// added and rises when they go. What a pod can do at most is what it has in
// force. A workload may be told to lose readiness when the demand is more than
// that: such pods keep their part.
package demand
