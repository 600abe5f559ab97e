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
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/test/live"
)

// prefix begins the names of the campaign's namespaces.
const prefix = "chaos-"

// perNamespace is how many objects share a namespace.
const perNamespace = 5

// shape is a policy. Every one of them ends at settled pods under the demand of
// restingValue.
type shape struct {
	name string
	// by is where its demand comes from.
	by     string
	period int
	spec   string
}

// Where demand comes from: the campaign's Prometheus server, the cluster's metrics
// adapter, and the cpu that pods use.
const (
	byPrometheus = "prometheus"
	byAdapter    = "adapter"
	byCPU        = "cpu"
)

// restingValue is the demand at the end, which asks for settled pods.
const restingValue, settled = 40, 4

// shapes have a rule each whose memory a restart could lose.
var shapes = []shape{
	{"windows", byPrometheus, 1, `{replicas: {min: 2, max: 8}, learn: {minFactor: "0.1", maxFactor: "9"}, behavior: {
	  scaleUp: {policies: [{type: Pods, value: 2, periodSeconds: 8}]},
	  scaleDown: {stabilizationWindowSeconds: 8, policies: [{type: Pods, value: 2, periodSeconds: 6}]}}}`},
	{"forbidden", byAdapter, 1, `{replicas: {min: 1, max: 8}, behavior: {
	  scaleUp: {forbiddenWindowSeconds: 4}, scaleDown: {forbiddenWindowSeconds: 10, stabilizationWindowSeconds: 0, limitPercent: 50}}}`},
	{"delays", byPrometheus, 1, `{replicas: {min: 2, max: 8}, behavior: {
	  scaleUp: {delaySeconds: 3, stabilizationWindowSeconds: 0}, scaleDown: {delaySeconds: 7, stabilizationWindowSeconds: 0}}}`},
	{"busy", byCPU, 2, `{replicas: {min: 1, max: 8}, behavior: {cpuInitializationSeconds: 10, initialReadinessSeconds: 1,
	  scaleDown: {stabilizationWindowSeconds: 15}}}`},
	{"sized", byPrometheus, 2, `{replicas: {min: 2, max: 8}, containers: [{name: app, cpu: {scaling: Vertical, min: 150m, max: 400m}}],
	  behavior: {scaleDown: {stabilizationWindowSeconds: 6}}}`},
}

// workload is one object with its Deployment, which has the same name.
type workload struct {
	shape
	namespace, name string
}

func (w *workload) key() client.ObjectKey {
	return client.ObjectKey{Namespace: w.namespace, Name: w.name}
}
func (w *workload) String() string { return w.namespace + "/" + w.name }

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

// object is the autoscaler.
func (w *workload) object() (*v1alpha1.WorkloadAutoscaler, error) {
	obj := &v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: w.name}}
	metric := fmt.Sprintf(`{type: External, external: {metric: {name: load}, prometheus: {query: 'load{object="%s"}'}, target: {averageValue: 10}}}`, w)
	switch w.by {
	case byAdapter:
		metric = `{type: External, external: {metric: {name: ` + w.name + `}, target: {averageValue: 10}}}`
	case byCPU:
		metric = `{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}`
	}
	for _, text := range []string{w.spec, fmt.Sprintf(`{metrics: [%s]}`, metric), fmt.Sprintf(`{behavior: {syncPeriodSeconds: %d}}`, w.period)} {
		if err := yaml.Unmarshal([]byte(text), &obj.Spec); err != nil {
			return nil, err
		}
	}
	obj.Spec.TargetRef = v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "Deployment", Name: w.name}
	return obj, nil
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
