//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestMemoryThatRanOutIsGiven: a container of 64Mi is killed for its memory, and the
// object says that three times of it are needed then. With the margin of 15 % that is
// 221Mi; a histogram knows that by its bucket, which is up to a twentieth larger. Both
// pods are given it, where they are.
func TestMemoryThatRanOutIsGiven(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 2)
	before := p.eventuallyReady("web", 2)
	p.autoscaler("web", `{replicas: {min: 2, max: 2}, containers: [{name: app, memory: {}, oomBumpUp: {percentage: 200}}], vertical: {update: InPlace}}`)
	p.patch(&corev1.Pod{}, before[0].Name, `{metadata: {annotations: {cluster.tidemark.dev/oom-kills: "1"}}}`)
	eventually(t, patience, func() error {
		pods, err := p.ready("web")
		if err != nil || len(pods) != 2 {
			return fmt.Errorf("%d pods are ready, error %w", len(pods), err)
		}
		for i, pod := range pods {
			got := pod.Spec.Containers[0].Resources.Requests.Memory().Value() >> 20
			if pod.UID != before[i].UID || got < 220 || got > 237 {
				status, _ := p.status("web")
				return fmt.Errorf("pod %s requests %dMi, want 221Mi and the same pod; %s", pod.Name, got, summary(status))
			}
		}
		return nil
	})
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
}
