package live_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/observe/observetest"
	"github.com/tidemark/tidemark/scale"
)

// TestTheSizeOfAWorkloadInTheMiddleOfARound: one of two pods of 600m has been
// resized. Of two sizes that are as frequent, names decide, unless one of them is
// where the workload was told to go by taking something away.
func TestTheSizeOfAWorkloadInTheMiddleOfARound(t *testing.T) {
	w := newWorld(t)
	const sizes = `{replicas: {max: 10}, containers: [{name: app, cpu: {scaling: Horizontal}}]}`
	const counts = `{replicas: {max: 10}}`
	for name, c := range map[string]struct {
		spec         string
		has, decided string
		want         scale.Amount
	}{
		"less was decided":                {sizes, "400m", "400m", 400},
		"more was decided":                {sizes, "800m", "800m", 600},
		"something else was decided":      {sizes, "400m", "300m", 600},
		"nothing was decided":             {sizes, "400m", "", 600},
		"someone else resizes these pods": {counts, "400m", "400m", 600},
	} {
		var pod corev1.Pod
		if err := w.cache.Get(t.Context(), client.ObjectKey{Namespace: "shop", Name: "web-1-a"}, &pod); err != nil {
			t.Fatal(err)
		}
		pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse(c.has)
		if err := w.cache.Update(t.Context(), &pod); err != nil {
			t.Fatal(err)
		}
		q := w.question(c.spec)
		if c.decided != "" {
			q.Object.Status.LastDecision = &v1alpha1.Decision{
				At: metav1.NewTime(monday.Add(-time.Minute)), Want: v1alpha1.Size{Containers: map[string]map[string]string{"app": {"cpu": c.decided}}},
			}
		}
		answer, err := w.observer.Observe(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		want := []scale.Container{{Name: "app", Requests: cpu(c.want)}}
		if diff := cmp.Diff(want, answer.Seen.Target.Containers, observetest.Equal); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
