package live_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/observe/allowance"
	"github.com/tidemark/tidemark/internal/observe/live"
	"github.com/tidemark/tidemark/scale"
)

// allows is what every namespace allows, or why that is not known.
type allows struct {
	allowance.Allowance
	err error
}

func (a *allows) Of(context.Context, string) (allowance.Allowance, error) { return a.Allowance, a.err }

func amountsOf(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}
}

// TestCapacity: a quota that leaves two pods and 1.5 cores, a LimitRange, and two nodes:
// a daemon takes 500m of the one that has more cpu.
func TestCapacity(t *testing.T) {
	const (
		byCount = `{replicas: {max: 10}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}`
		bySize  = `{replicas: {max: 10}, containers: [{name: app, cpu: {scaling: Vertical}}]}`
		asHPA   = `{compatibility: HPA, replicas: {max: 10}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}`
	)
	quota := scale.QuotaRoom{Pods: new(int32(2)), Requests: scale.Resources{}.With(scale.CPU, 1500)}
	largest := scale.Resources{}.With(scale.CPU, 3500).With(scale.Memory, 8<<30*1000)
	for name, tc := range map[string]struct {
		spec      string
		unknown   error
		forbidden bool
		want      *scale.Capacity
	}{
		"who only counts sees the quota": {spec: byCount, want: &scale.Capacity{Quota: quota}},
		"who sizes sees everything": {spec: bySize, want: &scale.Capacity{
			Quota: quota, LimitRange: scale.AllowedRange{Max: scale.Resources{}.With(scale.CPU, 2000)}, LargestNode: largest,
		}},
		"an HPA sees nothing":        {spec: asHPA},
		"no watches yet":             {spec: bySize, unknown: allowance.ErrUnknown, want: &scale.Capacity{LargestNode: largest}},
		"neither watches nor nodes":  {spec: bySize, unknown: allowance.ErrUnknown, forbidden: true},
		"no right to look at nodes":  {spec: byCount, forbidden: true, want: &scale.Capacity{Quota: quota}},
		"and no watches for a count": {spec: byCount, unknown: allowance.ErrUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			allowed := &allows{err: tc.unknown}
			allowed.Quotas = []corev1.ResourceQuota{{Status: corev1.ResourceQuotaStatus{
				Hard: corev1.ResourceList{"pods": resource.MustParse("4"), "requests.cpu": resource.MustParse("3")},
				Used: corev1.ResourceList{"pods": resource.MustParse("2"), "requests.cpu": resource.MustParse("1500m")},
			}}}
			allowed.LimitRanges = []corev1.LimitRange{{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
				{Type: corev1.LimitTypeContainer, Max: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}},
			}}}}
			nodes := &lister{forbidden: tc.forbidden}
			w := newWorld(t, func(c *live.Config) {
				nodes.Reader, c.Live, c.Allowances = c.Cache, nodes, allowed
			})
			for _, o := range []client.Object{
				&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}, Status: corev1.NodeStatus{Allocatable: amountsOf("4", "4Gi")}},
				&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n2"}, Status: corev1.NodeStatus{Allocatable: amountsOf("2", "8Gi")}},
				&corev1.Pod{
					ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "agent-1", OwnerReferences: owned("DaemonSet", "agent", "ds")},
					Spec:       corev1.PodSpec{NodeName: "n1", Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: amountsOf("500m", "1Gi")}}}},
				},
			} {
				if err := w.cache.Create(t.Context(), o); err != nil {
					t.Fatal(err)
				}
			}
			seen, err := w.observer.Observe(t.Context(), w.question(tc.spec))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, seen.Observation.Capacity, cmp.AllowUnexported(scale.Resources{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if len(seen.Problems) > 0 {
				t.Errorf("what is not known bounds nothing, so it is no problem: %v", seen.Problems)
			}
		})
	}
}
