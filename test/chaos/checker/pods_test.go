package checker

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/test/chaos/trail"
)

// TestPods: pods that are made while the webhook is out of order, as they should be
// and in each way that breaks the promise.
func TestPods(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*trail.Webhook)
		broken bool
	}{
		{"as promised", func(*trail.Webhook) {}, false},
		{"on a slow machine", func(w *trail.Webhook) {
			for _, all := range [][]trail.Pod{w.Pods, w.Elsewhere} {
				for i := range all {
					all[i].Took, all[i].Slow = 25*time.Second, 3*time.Second
				}
			}
		}, false},
		{"one elsewhere is slow by chance", func(w *trail.Webhook) { w.Elsewhere[0].Took = 4 * time.Second }, false},
		{"a pod is refused", func(w *trail.Webhook) { w.Pods[1].Error = "failed calling webhook" }, true},
		{"a pod takes far longer than the limit", func(w *trail.Webhook) { w.Pods[1].Took = 9 * time.Second }, true},
		{"one is slow by chance", func(w *trail.Webhook) { w.Pods[1].Took = 7 * time.Second }, false},
		{"all of them take longer than the limit", func(w *trail.Webhook) { w.Pods[0].Took, w.Pods[1].Took = 6*time.Second, 6*time.Second }, true},
		{"a pod has another size than its template", func(w *trail.Webhook) { w.Pods[1].Got = "150m" }, true},
		{"a pod elsewhere is refused", func(w *trail.Webhook) { w.Elsewhere[1].Error = "failed calling webhook" }, true},
		{"all pods elsewhere wait", func(w *trail.Webhook) {
			for i := range w.Elsewhere {
				w.Elsewhere[i].Took = 3 * time.Second
			}
		}, true},
		{"nobody tells", func(w *trail.Webhook) { w.Told = 1 }, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := tell(t, plain)
			w := trail.Webhook{
				Does: trail.WebhookHangs, Told: 3,
				Pods: []trail.Pod{
					{Template: "100m", Got: "100m", Took: 3 * time.Second}, {Template: "100m", Got: "100m", Took: 3 * time.Second},
				},
				Elsewhere: []trail.Pod{{Took: time.Millisecond}, {Took: time.Millisecond}},
			}
			tc.change(&w)
			s.add(trail.Event{Webhook: &w})
			if found := s.found()[Pods]; (found != "") != tc.broken {
				t.Errorf("found %q, want a violation: %t", found, tc.broken)
			}
		})
	}
}
