package main

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// makers is how many objects are created at once.
	makers = 16
	// populateTime bounds the time until the usage of every pod is known.
	populateTime = 30 * time.Minute
	// The pods use half of what they request, which is the target of both sides.
	// The half percent keeps a measurement that is a little off from being
	// rounded down to another percentage.
	requestCPU, requestMemory = "200m", "128Mi"
	percent                   = 50
)

// appetite is what a pod uses.
type appetite struct{ cpu, memory string }

// A workload at rest has one pod that is at the target. A busy one has a pod that is
// low, or high: then it needs a second one, which is low, and both are at the target.
var (
	atRest    = appetite{"101m", "64Mi"}
	low, high = appetite{"44m", "28Mi"}, appetite{"156m", "100Mi"}
)

func (u appetite) annotations() map[string]string {
	return map[string]string{"kwok.x-k8s.io/usage-cpu": u.cpu, "kwok.x-k8s.io/usage-memory": u.memory}
}

// fleet is the workloads of a measurement.
type fleet struct {
	objects, pods, perNamespace, perNode int
	// flags are further ones of the control plane.
	flags []string
	// resource is what both sides scale on, and used what their pods begin with.
	resource string
	used     appetite
	busy     bool
	// sleeps is set for workloads that have no pods yet, and scale on a metric that
	// someone else measures.
	sleeps bool
}

func (f fleet) namespaces() int { return (f.objects + f.perNamespace - 1) / f.perNamespace }

func namespaceOf(i int) string { return fmt.Sprintf("bench-%03d", i) }

// key names the i-th workload.
func (f fleet) key(i int) client.ObjectKey {
	return client.ObjectKey{Namespace: namespaceOf(i / f.perNamespace), Name: fmt.Sprintf("web-%04d", i)}
}

// populate creates the workloads and waits until metrics-server knows what
// their pods use.
func (p *plane) populate(ctx context.Context, f fleet) error {
	if err := p.makeWorkloads(ctx, f); err != nil {
		return err
	}
	p.say("Waiting until the usage of %d pods is known.", f.objects*f.pods)
	limited, cancel := context.WithTimeout(ctx, populateTime)
	defer cancel()
	return wait.PollUntilContextCancel(limited, 5*time.Second, true, func(ctx context.Context) (bool, error) {
		known, err := p.measured(ctx, f)
		return known == f.objects*f.pods, err
	})
}

// makeWorkloads creates the workloads.
func (p *plane) makeWorkloads(ctx context.Context, f fleet) error {
	p.say("Creating %d workloads with %d pods each in %d namespaces.", f.objects, f.begins(), f.namespaces())
	for i := range f.namespaces() {
		if err := p.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespaceOf(i)}}); err != nil {
			return fmt.Errorf("creating a namespace: %w", err)
		}
	}
	return p.each(ctx, f, func(key client.ObjectKey) (client.Object, error) { return workload(key, f), nil }, nil)
}

// begins is how many pods each workload begins with.
func (f fleet) begins() int32 {
	if f.sleeps {
		return 0
	}
	return int32(f.pods)
}

// measured counts the pods whose usage metrics-server knows.
func (p *plane) measured(ctx context.Context, f fleet) (int, error) {
	known := 0
	for i := range f.namespaces() {
		var list v1beta1.PodMetricsList
		if err := p.List(ctx, &list, client.InNamespace(namespaceOf(i))); err != nil {
			return 0, fmt.Errorf("reading the usage of pods: %w", err)
		}
		known += len(list.Items)
	}
	return known, nil
}

// each creates one object for each workload, and where with is not nil what belongs
// to it.
func (p *plane) each(ctx context.Context, f fleet, made func(client.ObjectKey) (client.Object, error), with func(client.Object) client.Object) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(makers)
	for i := range f.objects {
		group.Go(func() error {
			one, err := made(f.key(i))
			if err == nil {
				err = p.Create(ctx, one)
			}
			if err == nil && with != nil {
				err = p.Create(ctx, with(one))
			}
			if err != nil {
				return fmt.Errorf("creating objects: %w", err)
			}
			return nil
		})
	}
	return group.Wait()
}

func workload(key client.ObjectKey, f fleet) *appsv1.Deployment {
	labels, replicas := map[string]string{"app": key.Name}, f.begins()
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: f.used.annotations()},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name: "app", Image: "registry.k8s.io/pause",
					Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
						corev1.ResourceCPU: resource.MustParse(requestCPU), corev1.ResourceMemory: resource.MustParse(requestMemory),
					}},
				}}},
			},
		},
	}
}
