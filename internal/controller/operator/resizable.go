package operator

import (
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
)

// resizableFor is how long an answer about the API server is believed: it may be
// upgraded meanwhile.
const resizableFor = 5 * time.Minute

// resizable tells whether the API server resizes pods in place. While that is not
// known, it does not.
func resizable(mgr ctrl.Manager) func() bool {
	client, err := discovery.NewDiscoveryClientForConfigAndClient(mgr.GetConfig(), mgr.GetHTTPClient())
	if err != nil {
		return func() bool { return false }
	}
	return remembered(wallClock, func() (bool, error) {
		known, err := client.ServerResourcesForGroupVersion("v1")
		if err != nil {
			return false, err
		}
		return slices.ContainsFunc(known.APIResources, func(r metav1.APIResource) bool { return r.Name == "pods/resize" }), nil
	})
}

// remembered asks once in a while. A failure is not remembered.
func remembered(clock clock.PassiveClock, ask func() (bool, error)) func() bool {
	var mu sync.Mutex
	var until time.Time
	var answer bool
	return func() bool {
		mu.Lock()
		defer mu.Unlock()
		if clock.Now().Before(until) {
			return answer
		}
		said, err := ask()
		if err != nil {
			return false
		}
		answer, until = said, clock.Now().Add(resizableFor)
		return answer
	}
}
