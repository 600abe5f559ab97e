package live

import (
	"context"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/observe/kubelet"
	"github.com/tidemark/tidemark/internal/observe/metricsapi"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

// used returns what the pods use: what their kubelets say, and what
// metrics-server says of the others. It is an error only where nobody knows
// anything.
func (o *Observer) used(ctx context.Context, l *look) (metricsapi.Usage, error) {
	if o.kubelets == nil || l.Policy.Horizontal.Upstream {
		// An object that is to do as an HPA does sees what an HPA sees.
		listed, err := o.metrics.Usage(ctx, l.Object.Namespace, l.maxAge())
		o.tell(l, metricsapi.ResourceSource, listed)
		return listed, err
	}
	fresh := o.fresh(ctx, l)
	l.fresh = maps.Clone(fresh)
	o.tell(l, kubelet.Name, l.fresh)
	unknown := func(pod *corev1.Pod) bool { return pod.Status.Phase == corev1.PodRunning && !has(fresh, pod.Name) }
	if len(fresh) > 0 && !slices.ContainsFunc(l.running, unknown) {
		return fresh, nil
	}
	if snapshot.Waits(ctx) {
		// They may know it in a moment, and metrics-server need not be asked.
		return nil, &snapshot.UnderWay{}
	}
	listed, err := o.metrics.Usage(ctx, l.Object.Namespace, l.maxAge())
	if err != nil && len(fresh) == 0 {
		return nil, err
	}
	if err != nil {
		// Pods of which nobody knows anything are a gap, as they are when
		// metrics-server has none of them.
		l.problem(err)
	}
	others := o.others(l, fresh, listed)
	o.tell(l, metricsapi.ResourceSource, others)
	maps.Copy(fresh, others)
	return fresh, nil
}

// others are the pods that only metrics-server knows of. It shows whole seconds.
func (o *Observer) others(l *look, fresh, listed metricsapi.Usage) metricsapi.Usage {
	out := metricsapi.Usage{}
	for _, pod := range l.running {
		of, known := listed[pod.Name]
		if known && !has(fresh, pod.Name) && !of.At.Before(o.kubelets.Shown(pod).Truncate(time.Second)) {
			out[pod.Name] = of
		}
	}
	return out
}

func has(u metricsapi.Usage, name string) bool {
	_, known := u[name]
	return known
}

// fresh returns what kubelets say of the pods.
func (o *Observer) fresh(ctx context.Context, l *look) metricsapi.Usage {
	out, err := o.kubelets.Usage(ctx, l.running, l.maxAge())
	if err != nil {
		l.problem(err)
	}
	if out == nil {
		out = metricsapi.Usage{}
	}
	for name, of := range out {
		if of.At.After(l.At) {
			// It was measured while we looked.
			of.At = l.At
			out[name] = of
		}
	}
	return out
}

// tell says how old the usage is that was found, once the look is over.
func (o *Observer) tell(l *look, source string, found metricsapi.Usage) {
	if o.onUsage == nil {
		return
	}
	l.atEnd = append(l.atEnd, func() {
		for i := range l.obs.Pods {
			if of, known := found[l.obs.Pods[i].Name]; known {
				o.onUsage(source, max(l.At.Sub(of.At), 0))
			}
		}
	})
}
