package resize

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/scale"
)

// boosted lets a pod of one core settle at half of it.
func boosted(p *corev1.Pod) {
	p.Annotations = map[string]string{v1alpha1.BoostAnnotation: `{"by":"web","containers":[{"name":"app","cpu":"1","settled":"500m"}]}`}
	p.Spec.Containers[0].Resources.Requests[corev1.ResourceMemory] = resource.MustParse("1Gi")
}

// TestABoostedPodIsNotMadeSmaller: its cpu is left alone until the boost is taken back,
// unless more is wanted; its memory is not.
func TestABoostedPodIsNotMadeSmaller(t *testing.T) {
	gib := scale.Amount(1<<30) * scale.Thousand
	size := func(cpu, memory scale.Amount) []scale.Container {
		return []scale.Container{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, cpu).With(scale.Memory, memory)}}
	}
	for name, tc := range map[string]struct {
		want           []scale.Container
		grows, shrinks bool
	}{
		"less cpu is wanted":        {want: size(500, gib)},
		"as much":                   {want: size(1000, gib)},
		"more than the boost":       {want: size(1500, gib), grows: true},
		"less cpu and more memory":  {want: size(500, 2*gib), grows: true},
		"less cpu and less memory":  {want: size(500, gib/2), shrinks: true},
		"more cpu and less memory":  {want: size(2000, gib/2), grows: true, shrinks: true},
		"nobody speaks of the cpu ": {want: []scale.Container{{Name: "app", Requests: scale.Resources{}.With(scale.Memory, gib)}}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := podOf(runningPod("web-1", "1", boosted), tc.want, true); got.Grows != tc.grows || got.Shrinks != tc.shrinks {
				t.Errorf("grows %v, shrinks %v", got.Grows, got.Shrinks)
			}
		})
	}
}

// TestTakeBack: one patch, of the cpu alone, under the pod's version. A pod without a
// boost is not written.
func TestTakeBack(t *testing.T) {
	for name, tc := range map[string]struct {
		pod  *corev1.Pod
		want []string
	}{
		"a boosted pod": {runningPod("web-1", "1", boosted),
			[]string{`{"metadata":{"resourceVersion":"7"},"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"500m","memory":"1Gi"}}}]}}`}},
		"one that lost its boost": {runningPod("web-1", "500m", boosted), nil},
		"one that never had one":  {runningPod("web-1", "1"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			tc.pod.ResourceVersion = "7"
			var asked []string
			api := interceptor.NewClient(fake.NewClientBuilder().Build(), interceptor.Funcs{
				SubResourcePatch: func(_ context.Context, _ client.Client, sub string, pod client.Object, patch client.Patch, _ ...client.SubResourcePatchOption) error {
					text, err := patch.Data(pod)
					asked = append(asked, string(text))
					if sub != "resize" || pod.GetName() != "web-1" {
						t.Errorf("%s of %s", sub, pod.GetName())
					}
					return err
				},
			})
			b := &Boosts{Client: api, Clock: clocktesting.NewFakePassiveClock(now)}
			changes, err := b.TakeBack(t.Context(), tc.pod)
			if diff := cmp.Diff(tc.want, asked); diff != "" || err != nil || len(changes) != len(tc.want) {
				t.Errorf("error %v, changes %v, asked for (-want +got):\n%s", err, changes, diff)
			}
		})
	}
}
