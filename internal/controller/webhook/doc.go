// Package webhook gives new pods the size that was last decided for their
// workload, when the API server is about to create them.
//
// The template of a workload is its owner's and is never changed. So a pod that
// is created would have the size of the template until it is resized, and where
// pods are replaced because they could not be resized, nothing would be won.
//
// # It is never in the way
//
// A pod that the webhook knows nothing of, or cannot make sense of, passes as it
// is: there is no answer that refuses a pod, and the failure policy of the
// webhook is Ignore. It sets nothing for an object that may not act, by the same
// rules as the controller's (package permit), and from a decision that is too
// old to be trusted. The answer says why.
//
// Where a LimitRange, a quota or the pod's own resources would refuse the decided
// size, the pod keeps that of its template, an event of the object says so, and so
// does an annotation of the pod. It is asked about pods of namespaces whose objects
// size pods, and of no others: see Scope. Its answer takes two seconds at most, of
// which few are worked out at once.
//
// # Who asks
//
// API servers show no certificate unless they are configured to. Where Callers are not
// given, nobody proves that it is one who asks: then nothing is told of a workload
// before the UID of the pod's owner is confirmed, and events are few.
//
// The certificate it serves with is that of package certificate.
package webhook
