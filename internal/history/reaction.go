package history

import "time"

// AssumedStartUp is how long pods are taken to start until one was seen to.
const AssumedStartUp = 30 * time.Second

// Reaction is how long it takes until a rise in demand is met: it has to be
// measured, looked at, and a new pod has to start. The start-up is the
// workload's own, as observed.
func (h *History) Reaction(metricDelay, sync time.Duration) time.Duration {
	startUp, known := h.StartUp.Usual()
	if !known {
		startUp = AssumedStartUp
	}
	return min(metricDelay+sync+startUp, MaxReaction)
}

// Ahead is how long before a slot begins its bounds should hold, so that a
// peak finds its pods ready.
func (h *History) Ahead(sync time.Duration) time.Duration { return h.Reaction(0, sync) }
