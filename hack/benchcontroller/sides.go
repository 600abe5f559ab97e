package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/manifest"
	"github.com/tidemark/tidemark/test/live"
)

// The users of the two sides, as the audit log names them.
const (
	hpaHome, hpaAccount = "bench-system", "hpa"
	hpaUser             = "system:serviceaccount:" + hpaHome + ":" + hpaAccount
	tidemarkUser        = "system:serviceaccount:" + live.Namespace + ":" + live.Account
)

// side is one way to scale the workloads, and how to see what it does.
type side struct {
	name, user string
	// objects names the set of objects that the side looks after, and settings is
	// what its configuration has beside the usual.
	objects, settings string
	// kind is an empty object of those that the side looks after, and object
	// makes one.
	kind   client.Object
	object func(client.ObjectKey, fleet) (client.Object, error)
	start  func(p *plane, s side, profiled bool) (programs, error)
	// with, when set, returns what makes an object that belongs to each of them.
	with func(fleet) (func(client.Object) client.Object, error)
	// shards is how many controllers share the objects; 0 is one for all.
	shards int
	// active tells whether nearly every object says that it is scaled.
	active func(context.Context, *plane, fleet) (bool, error)
	// looks is the counter of looks at an object, queue the name of the queue
	// they come from, and lag the histogram of how late they come; without one
	// the audit log tells.
	looks, queue, lag string
}

// beside are measured in this order. The HPA controller goes first without its
// limits, which gives every HPA a status soon; with its limits it takes minutes
// for a single look at each of thousands.
var beside = []side{
	hpaSide("HPA controller, raised", raised...),
	hpaSide("HPA controller, defaults"),
	tidemarkSide("Tidemark, defaults"),
}

// raised are the HPA controller's flags without its limits.
var raised = []string{"--kube-api-qps=5000", "--kube-api-burst=10000", "--concurrent-horizontal-pod-autoscaler-syncs=50"}

func hpaSide(name string, flags ...string) side {
	return side{
		name: name, user: hpaUser, objects: "HPAs", kind: &autoscalingv2.HorizontalPodAutoscaler{}, object: hpa, active: activeHPAs,
		start: func(p *plane, _ side, _ bool) (programs, error) { return startHPA(p, flags) },
		looks: "horizontal_pod_autoscaler_controller_reconciliations_total", queue: "horizontalpodautoscaler",
	}
}

// own makes every workload the side's: the objects of the side before go, and its
// own come, unless they are there already.
func (p *plane) own(ctx context.Context, s side, f fleet) error {
	if p.owned == s.objects {
		return nil
	}
	for _, kind := range []client.Object{&autoscalingv2.HorizontalPodAutoscaler{}, &v1alpha1.WorkloadAutoscaler{}} {
		for i := range f.namespaces() {
			if err := p.DeleteAllOf(ctx, kind, client.InNamespace(namespaceOf(i))); err != nil {
				return fmt.Errorf("deleting the objects of another side: %w", err)
			}
		}
	}
	p.owned = s.objects
	p.say("Creating the %d objects of %s.", f.objects, s.name)
	var with func(client.Object) client.Object
	if s.with != nil {
		var err error
		if with, err = s.with(f); err != nil {
			return err
		}
	}
	return p.each(ctx, f, func(key client.ObjectKey) (client.Object, error) { return s.object(key, f) }, with)
}

// autoscaler is what both sides are asked for.
func autoscaler(key client.ObjectKey, f fleet) manifest.Autoscaler {
	out := manifest.Autoscaler{
		Name: key.Name, Namespace: key.Namespace, Target: manifest.Deployment(workload(key, f)), MaxReplicas: int32(10 * f.pods),
		Metrics: []manifest.Metric{manifest.Resource(f.resource, manifest.Utilization(percent))},
	}
	if f.busy {
		out.ScaleDown = &manifest.Rules{StabilizationWindowSeconds: new(int32(0))}
	}
	return out
}

func hpa(key client.ObjectKey, f fleet) (client.Object, error) {
	return autoscaler(key, f).HorizontalPodAutoscaler()
}

// startHPA runs a controller manager that has no other controller.
func startHPA(p *plane, flags []string) (programs, error) {
	kubeconfig := filepath.Join(p.folder, "hpa.kubeconfig")
	if err := p.credentials(kubeconfig, hpaHome, hpaAccount); err != nil {
		return nil, err
	}
	ports, err := live.FreePorts(1)
	if err != nil {
		return nil, err
	}
	out, err := p.launch("hpa.log", clusterBinary, append([]string{
		// The program is what its name says, so that no process stands between.
		"kube-controller-manager", "--controllers=horizontal-pod-autoscaler-controller", "--leader-elect=false",
		"--kubeconfig=" + kubeconfig, "--bind-address=127.0.0.1", "--secure-port=" + strconv.Itoa(ports[0]),
		"--cert-dir=" + filepath.Join(p.folder, "certificates"), "--authorization-always-allow-paths=/healthz,/metrics",
	}, flags...)...)
	if err != nil {
		return nil, err
	}
	out.metrics = fmt.Sprintf("https://127.0.0.1:%d/metrics", ports[0])
	return programs{out}, nil
}

// nearlyAll leaves room for pods whose usage is missing for a moment: among
// thousands there are always some.
func nearlyAll[T any](f fleet, all []T, active func(*T) bool) bool {
	n := 0
	for i := range all {
		if active(&all[i]) {
			n++
		}
	}
	return n*100 >= f.objects*95
}

func activeHPAs(ctx context.Context, p *plane, f fleet) (bool, error) {
	var list autoscalingv2.HorizontalPodAutoscalerList
	if err := p.List(ctx, &list); err != nil {
		return false, err
	}
	return nearlyAll(f, list.Items, func(hpa *autoscalingv2.HorizontalPodAutoscaler) bool {
		return slices.ContainsFunc(hpa.Status.Conditions, func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool {
			return c.Type == autoscalingv2.ScalingActive && c.Status == corev1.ConditionTrue
		})
	}), nil
}

func activeAutoscalers(ctx context.Context, p *plane, f fleet) (bool, error) {
	var list v1alpha1.WorkloadAutoscalerList
	if err := p.List(ctx, &list); err != nil {
		return false, err
	}
	return nearlyAll(f, list.Items, func(a *v1alpha1.WorkloadAutoscaler) bool {
		return meta.IsStatusConditionTrue(a.Status.Conditions, explain.ScalingActive)
	}), nil
}
