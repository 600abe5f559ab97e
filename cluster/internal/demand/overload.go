package demand

import (
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// overloaded is the annotation of a pod that answers too slowly to be ready, but
// goes on with its work; the fake kubelets read it.
const overloaded = "cluster.tidemark.dev/overloaded"

// allPods is the value of Overload that takes readiness from every pod.
const allPods = "all"

// strike takes readiness from the pods that have work while it is too much for
// them: from all of them, or from the first so many. They get it back when the
// demand fits again.
func strike(shares map[string]map[string]string, pods []*corev1.Pod, how string, over bool) error {
	left := 0
	switch {
	case how == allPods:
		left = len(pods)
	case how != "":
		n, err := strconv.Atoi(how)
		if err != nil || n < 0 {
			return fmt.Errorf("%s must be %s or a number of pods: got %q", Overload, allPods, how)
		}
		left = n
	}
	for _, pod := range pods {
		hit := over && left > 0 && (isReady(pod) || struck(pod))
		if hit {
			left--
		}
		if _, was := pod.Annotations[overloaded]; hit || was {
			shares[pod.Name][overloaded] = strconv.FormatBool(hit)
		}
	}
	return nil
}

// struck tells whether an overload took readiness from the pod.
func struck(pod *corev1.Pod) bool {
	return pod.Annotations[overloaded] == "true" && pod.DeletionTimestamp == nil
}
