//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tidemark/tidemark/internal/webhook"
)

// TestIntervalsResizeInPlace: pods grow without being replaced, and then the
// count and the size change together.
func TestIntervalsResizeInPlace(t *testing.T) {
	p := newPlace(t)
	p.workload("web", 2)
	p.demand("web", "0.38")
	share(t)
	first := uids(p.eventuallyReady("web", 2))
	p.autoscaler("web", `{metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 100}}}],
		intervals: {ranges: [{maxReplicas: 2, maxResources: {cpu: 200m}}, {maxReplicas: 3, maxResources: {cpu: 400m}}]}}`)

	// 380m in all are four times 100m, rounded up, and that is two pods of 200m.
	eventually(t, patience, func() error { return p.sized("web", 2, 200, 200) })
	if now := uids(p.eventuallyReady("web", 2)); !slices.Equal(now, first) {
		t.Errorf("the pods were replaced: %v became %v", first, now)
	}
	eventually(t, patience, p.told("web", "Normal WithinInterval"))

	// 950m are for three pods, and more than 200m each.
	p.demand("web", "0.95")
	eventually(t, patience, func() error { return p.sized("web", 3, 300, 400) })
	eventually(t, patience, p.told("web", "Normal NextInterval"))
	for _, pod := range p.eventuallyReady("web", 3) {
		old := slices.Contains(first, pod.UID)
		if _, bySize := pod.Annotations[webhook.SizedBy]; old == bySize {
			t.Errorf("pod %s is new: %t, and had its size from the webhook: %t", pod.Name, !old, bySize)
		}
	}
	if now := uids(p.eventuallyReady("web", 3)); !slices.Contains(now, first[0]) || !slices.Contains(now, first[1]) {
		t.Errorf("the first pods %v were replaced: %v", first, now)
	}
}

// sized tells what is wrong with the pods, when there are not so many, or their
// requests of CPU, in thousandths, are not within the bounds, or differ from what
// was decided.
func (p *place) sized(name string, count int, least, most int64) error {
	pods, err := p.ready(name)
	if err != nil {
		return err
	}
	status, err := p.status(name)
	if err != nil {
		return err
	}
	var requests []int64
	for _, pod := range pods {
		requests = append(requests, pod.Spec.Containers[0].Resources.Requests.Cpu().MilliValue())
	}
	slices.Sort(requests)
	if len(pods) != count || requests[0] < least || requests[count-1] > most || requests[0] != requests[count-1] {
		return fmt.Errorf("the pods request %v; want %d of %d to %d: %s", requests, count, least, most, summary(status))
	}
	return nil
}

func uids(pods []corev1.Pod) []types.UID {
	var out []types.UID
	for _, pod := range pods {
		out = append(out, pod.UID)
	}
	return out
}
