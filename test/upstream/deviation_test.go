package upstream

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Class names why two answers differ on purpose.
type Class string

// The deviations that compatibility HPA has. There are no others.
const (
	// Saturated: upstream converts a float beyond the range of an int32, which
	// Go leaves to the processor (on amd64 an enormous load scales down to the
	// minimum), or the containers of one pod add up beyond the range of an
	// int64 and become negative. We stop at the end of the range.
	Saturated Class = "Saturated"
	// StartUnknown: upstream does not believe the cpu usage of a pod without a
	// start time. An observation says "started long ago" in that way, so that
	// a person may leave the field out; no kubelet does.
	StartUnknown Class = "StartUnknown"
)

// Explain returns why our answer to a case may differ from upstream's. It
// fails when nothing explains it.
func Explain(c *Case, ours Proposal) (Class, bool) {
	if assumed, again := startedLongAgo(c); assumed {
		if c = again; Theirs(again) == ours {
			return StartUnknown, true
		}
	}
	if OutOfRange(c) {
		return Saturated, true
	}
	return "", false
}

// startedLongAgo returns the case with every unknown start time replaced by
// one of long ago, if there is any.
func startedLongAgo(c *Case) (bool, *Case) {
	again, assumed := *c, false
	again.Pods = slices.Clone(c.Pods)
	for i, pod := range c.Pods {
		if pod.Status.StartTime == nil {
			again.Pods[i], assumed = pod.DeepCopy(), true
			again.Pods[i].Status.StartTime = &metav1.Time{}
		}
	}
	return assumed, &again
}
