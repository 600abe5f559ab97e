//go:build chaos

package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/test/chaos/trail"
)

// deed is something that users and administrators of a cluster do.
type deed struct {
	name string
	do   func(c *campaign, ctx context.Context, w *workload, r *rand.Rand) error
}

// deeds are dealt like faults.
var deeds = []deed{
	{"rollout", func(c *campaign, ctx context.Context, w *workload, _ *rand.Rand) error {
		return c.patch(ctx, &appsv1.Deployment{}, w.key(), fmt.Sprintf(
			`{"spec":{"template":{"metadata":{"annotations":{"rolled-out":%q}}}}}`, time.Now().Format(time.RFC3339Nano)))
	}},
	{"scaled by hand", (*campaign).scaleByHand},
	{"quota", (*campaign).limitPods},
	{"disruption budget", (*campaign).limitDisruption},
	{"node lost", (*campaign).loseNode},
	{"namespace deleted", (*campaign).deleteNamespace},
	{"definition changed", (*campaign).changeDefinition},
	// All of a namespace, because not every workload learns.
	{"histories deleted", func(c *campaign, ctx context.Context, w *workload, _ *rand.Rand) error {
		return c.cluster.DeleteAllOf(ctx, &v1alpha1.WorkloadHistory{}, client.InNamespace(w.namespace))
	}},
	{"spec changed", func(c *campaign, ctx context.Context, w *workload, r *rand.Rand) error {
		return c.patch(ctx, &v1alpha1.WorkloadAutoscaler{}, w.key(), fmt.Sprintf(`{"spec":{"replicas":{"max":%d}}}`, 7+r.IntN(3)))
	}},
	{"controller's events deleted", func(c *campaign, ctx context.Context, w *workload, _ *rand.Rand) error {
		return c.cluster.DeleteAllOf(ctx, &corev1.Event{}, client.InNamespace(w.namespace))
	}},
}

// scaleByHand says what it is about to do, because nobody may come to know whether
// it was done.
func (c *campaign) scaleByHand(ctx context.Context, w *workload, r *rand.Rand) error {
	count := int32(3 + r.IntN(5))
	c.note(trail.Event{Traffic: &trail.Traffic{What: "scaling by hand", Object: w.String(), Replicas: &count}})
	return c.patch(ctx, &appsv1.Deployment{}, w.key(), fmt.Sprintf(`{"spec":{"replicas":%d}}`, count))
}

func (c *campaign) limitPods(ctx context.Context, w *workload, r *rand.Rand) error {
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "pods"}}
	quota.Spec.Hard = corev1.ResourceList{corev1.ResourcePods: *quantity(perNamespace * settled)}
	if err := c.cluster.Create(ctx, quota); err != nil {
		return err
	}
	time.Sleep(between(r, 3, 6))
	return insist(func() error { return client.IgnoreNotFound(c.cluster.Delete(ctx, quota)) })
}

func (c *campaign) limitDisruption(ctx context.Context, w *workload, r *rand.Rand) error {
	all := intstr.FromString("100%")
	budget := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: w.name}}
	budget.Spec = policyv1.PodDisruptionBudgetSpec{MinAvailable: &all, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": w.name}}}
	if err := c.cluster.Create(ctx, budget); err != nil {
		return err
	}
	time.Sleep(between(r, 3, 6))
	return insist(func() error { return client.IgnoreNotFound(c.cluster.Delete(ctx, budget)) })
}

// loseNode lets a node vanish with all its pods, and another come in its place.
func (c *campaign) loseNode(ctx context.Context, _ *workload, r *rand.Rand) error {
	var nodes corev1.NodeList
	if err := c.cluster.List(ctx, &nodes); err != nil {
		return err
	}
	if len(nodes.Items) < 2 {
		return nil
	}
	lost := &nodes.Items[r.IntN(len(nodes.Items))]
	if err := c.cluster.Delete(ctx, lost); err != nil {
		return err
	}
	// Kubernetes takes a minute to find out that the pods are gone too; here it is
	// told for one namespace.
	_ = c.cluster.DeleteAllOf(ctx, &corev1.Pod{}, client.InNamespace(c.workloads[0].namespace), client.MatchingFields{"spec.nodeName": lost.Name})
	time.Sleep(between(r, 2, 4))
	fresh := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: lost.Name, Labels: lost.Labels, Annotations: lost.Annotations}, Spec: lost.Spec, Status: lost.Status}
	return insist(func() error {
		fresh.ResourceVersion = ""
		if err := c.cluster.Create(ctx, fresh); !apierrors.IsAlreadyExists(err) {
			return err
		}
		return nil
	})
}

// deleteNamespace removes a namespace with all its workloads, and makes them anew.
func (c *campaign) deleteNamespace(ctx context.Context, w *workload, _ *rand.Rand) error {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}
	if err := c.cluster.Delete(ctx, namespace); err != nil {
		return err
	}
	err := insist(func() error {
		err := c.cluster.Get(ctx, client.ObjectKeyFromObject(namespace), &corev1.Namespace{})
		switch {
		case apierrors.IsNotFound(err):
			return nil
		case err == nil:
			return fmt.Errorf("the namespace %s is still there", w.namespace)
		}
		return err
	})
	for i := range c.workloads {
		if other := &c.workloads[i]; err == nil && other.namespace == w.namespace {
			err = insist(func() error { return c.create(ctx, other) })
		}
	}
	return err
}

// changeDefinition installs the definitions of the last release, and then those of
// now.
func (c *campaign) changeDefinition(_ context.Context, _ *workload, r *rand.Rand) error {
	older, err := filepath.Abs("../../docs/api/released/autoscaling.tidemark.dev_workloadautoscalers.yaml")
	if err != nil {
		return err
	}
	if err := insist(func() error { return c.order("kubectl", "apply", "--server-side", "--force-conflicts", "-f", older) }); err != nil {
		return err
	}
	time.Sleep(between(r, 2, 4))
	return insist(c.cluster.Install)
}

// doDeeds lets things happen until the campaign ends.
func (c *campaign) doDeeds(ctx context.Context, r *rand.Rand, deeds []deed) {
	for deck := range deal(r, deeds) {
		if !c.pause(between(r, 2, 5)) {
			return
		}
		w := &c.workloads[r.IntN(len(c.workloads))]
		c.world.RLock()
		c.note(trail.Event{Traffic: &trail.Traffic{What: deck.name, Object: w.String()}})
		if err := deck.do(c, ctx, w, r); err != nil {
			c.note(trail.Event{Traffic: &trail.Traffic{What: deck.name + " failed: " + err.Error(), Object: w.String()}})
		}
		c.world.RUnlock()
	}
}

// stepDemand changes what workloads need, until the campaign ends.
func (c *campaign) stepDemand(ctx context.Context, r *rand.Rand) {
	for c.pause(between(r, 1, 4) / time.Duration(1+len(c.workloads)/perNamespace)) {
		w := &c.workloads[r.IntN(len(c.workloads))]
		value := 10 * (1 + r.IntN(11))
		if !c.claim(w) {
			continue // its source lies
		}
		c.world.RLock()
		c.note(trail.Event{Traffic: &trail.Traffic{What: "demand", Object: w.String() + " " + strconv.Itoa(value)}})
		_ = c.demand(ctx, w, value, "") // where it does not arrive, it stays
		c.world.RUnlock()
		c.release(w)
	}
}

// tellLies lets the sources of one workload after the other lie.
func (c *campaign) tellLies(ctx context.Context, r *rand.Rand, lies []string) {
	toldBy := map[string][]string{
		byPrometheus: lies,
		byAdapter:    slices.DeleteFunc(slices.Clone(lies), func(lie string) bool { return !slices.Contains(adapterLies, lie) }),
	}
	for c.pause(between(r, 1, 3)) {
		w := &c.workloads[r.IntN(len(c.workloads))]
		known := toldBy[w.by]
		if len(known) == 0 || !c.claim(w) {
			continue
		}
		lie, value := known[r.IntN(len(known))], 10*(1+r.IntN(11))
		c.world.RLock()
		c.note(trail.Event{Fault: &trail.Fault{Name: "metrics lie: " + lie, Target: w.String(), Phase: trail.Begins}})
		_ = c.demand(ctx, w, value, lie)
		c.world.RUnlock()
		c.pause(between(r, 14, 18))
		c.world.RLock()
		_ = insist(func() error { return c.demand(ctx, w, value, "") })
		c.note(trail.Event{Fault: &trail.Fault{Name: "metrics lie: " + lie, Target: w.String(), Phase: trail.Ends}})
		c.world.RUnlock()
		c.release(w)
	}
}
