//go:build chaos

package chaos

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/test/live"
)

// perNamespace is how many objects share a namespace.
const perNamespace = 5

// workloads are so many objects, of all shapes in turn. A period other than zero
// is that of all of them.
func workloads(n, period int) []workload {
	var all []workload
	for i := range n {
		w := workload{shape: shapes[i%len(shapes)], namespace: fmt.Sprint(prefix, i/perNamespace)}
		w.name = fmt.Sprint(w.shape.name, "-", i%perNamespace)
		if period > 0 {
			w.period = period
		}
		all = append(all, w)
	}
	return all
}

func (w *workload) deployment() *appsv1.Deployment {
	labels, count := map[string]string{"app": w.name}, int32(settled)
	requests := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("64Mi")}
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: w.name}, Spec: appsv1.DeploymentSpec{
		Replicas: &count, Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{
			Containers: []corev1.Container{{Name: "app", Image: "none", Resources: corev1.ResourceRequirements{Requests: requests}}},
		}},
	}}
}

// create makes a workload; what is there already stays.
func (c *campaign) create(ctx context.Context, w *workload) error {
	obj, err := w.object()
	if err != nil {
		return err
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}
	for _, one := range []client.Object{namespace, w.deployment(), obj} {
		if err := c.cluster.Create(ctx, one); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("%s: %w", w, err)
		}
	}
	return nil
}

// demand asks for what a value stands for: ten of it are a pod. A lie stands
// beside the value, where the source can tell it.
func (c *campaign) demand(ctx context.Context, w *workload, value int, lie string) error {
	switch w.by {
	case byPrometheus:
		c.source.say(w.String(), value, lie)
		return nil
	case byCPU:
		// Half of 100m is a pod's share, and usage is measured a little above itself.
		patch := fmt.Sprintf(`{"metadata":{"annotations":{"cluster.tidemark.dev/demand-cpu":"%dm"}}}`, value*5-10)
		return c.patch(ctx, &appsv1.Deployment{}, w.key(), patch)
	}
	return c.script(ctx, w, value, lie)
}

// merge patches an object.
func (c *campaign) patch(ctx context.Context, obj client.Object, key client.ObjectKey, patch string) error {
	obj.SetNamespace(key.Namespace)
	obj.SetName(key.Name)
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return c.cluster.Patch(ctx, obj, client.RawPatch("application/merge-patch+json", []byte(patch)))
}

// insist does something again and again until it is done.
func insist(do func() error) error { return live.Poll(live.Patience, do) }
