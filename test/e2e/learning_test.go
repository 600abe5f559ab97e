//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestLearningKnowsThePastFromPrometheus: at this hour, eight pods were ready in
// each of the last weeks, so half of that is the least there may be, although
// the workload is new and idle.
func TestLearningKnowsThePastFromPrometheus(t *testing.T) {
	share(t)
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: pastNamespace}}
	if err := world.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = world.Delete(context.Background(), ns) })
	p := &place{t: t, name: pastNamespace}
	p.queue("10")
	p.workload("web", 2)
	p.autoscaler("web", `{replicas: {min: 1, max: 20}, learn: {windowWeeks: 3},
		metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
	p.eventuallyHas("web", 4)
	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "LearnedMin"))
	status, err := p.status("web")
	if err != nil {
		t.Fatal(err)
	}
	if d := status.LastDecision; d.Want.Replicas != 4 || d.LimitedBy != "LearnedMin" {
		t.Error(fmt.Errorf("want 4 pods because of what was learned: %s", summary(status)))
	}
}
