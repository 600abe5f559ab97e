package kubelet

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/tidemark/tidemark/internal/observe/metricsapi"
)

// usage is what the pods of a node use. The pod without a name is the whole node.
type usage map[types.NamespacedName]metricsapi.PodUsage

// node is what is known of a node between two requests: the counters of the
// containers that its last answer had.
type node struct {
	mu       sync.Mutex
	asked    time.Time
	counters map[containerKey]*counter
	// shown is when the usage was measured that was last answered for a pod.
	shown map[types.NamespacedName]time.Time
	// failure is the last request's, if it failed.
	failure error
}

func (n *node) lastFailure() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.failure
}

func (n *node) fail(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.failure = err
}

// take takes over an answer to a request that began and ended when our clock
// said so, and returns what the pods use. An answer to an earlier request than
// the last one is too late.
func (n *node) take(readings map[containerKey]reading, began, ended time.Time) usage {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.failure = nil
	if !began.Before(n.asked) {
		next := make(map[containerKey]*counter, len(readings))
		for key, r := range readings {
			c := n.counters[key]
			if c == nil {
				c = &counter{}
			}
			c.advance(r, moment{after: n.asked, before: ended})
			next[key] = c
		}
		n.counters, n.asked = next, began
		n.forget()
	}
	return n.usage()
}

// forget drops what was shown of pods that are not there any more.
func (n *node) forget() {
	shown := make(map[types.NamespacedName]time.Time, len(n.shown))
	for key := range n.counters {
		if at, known := n.shown[key.pod]; known {
			shown[key.pod] = at
		}
	}
	n.shown = shown
}

func (n *node) show(pod types.NamespacedName, at time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.shown == nil {
		n.shown = map[types.NamespacedName]time.Time{}
	}
	n.shown[pod] = at
}

func (n *node) shownAt(pod types.NamespacedName) time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.shown[pod]
}

func (n *node) usage() usage {
	pods := map[types.NamespacedName]map[string]*counter{}
	for key, c := range n.counters {
		if pods[key.pod] == nil {
			pods[key.pod] = map[string]*counter{}
		}
		pods[key.pod][key.name] = c
	}
	out := make(usage, len(pods))
	for name, containers := range pods {
		if of, ok := podOf(containers); ok {
			out[name] = of
		}
	}
	return out
}
