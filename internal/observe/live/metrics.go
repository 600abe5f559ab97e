package live

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/metricsapi"
	"github.com/tidemark/tidemark/scale"
)

func (l *look) metric(id v1alpha1.MetricIdentifier) metricsapi.Metric {
	return metricsapi.Metric{Namespace: l.Object.Namespace, Name: id.Name, Selector: id.Selector, MaxAge: l.maxAge()}
}

// podsMetric joins the values of a namespace's pods to the target's. Values of
// other pods are other workloads' business. The HPA averages those in that its
// adapter reports for its selector; here the adapter is asked for everyone.
func (o *Observer) podsMetric(ctx context.Context, l *look, m *v1alpha1.MetricSpec) (scale.Sample, error) {
	values, err := o.metrics.Pods(ctx, l.metric(m.Pods.Metric))
	if err != nil {
		return scale.Sample{}, err
	}
	out := scale.Sample{PerPod: make([]scale.PodValue, len(l.obs.Pods))}
	for i := range l.obs.Pods {
		v, known := values[l.obs.Pods[i].Name]
		switch {
		case !known:
			continue
		case l.tooOld(v.At):
			// The sample has one time for all pods. One pod that is no longer
			// measured must not make all the others look old.
			out.PerPod[i] = scale.PodValue{Unusable: true}
			continue
		}
		out.PerPod[i] = v.PodValue
		if !v.At.IsZero() && (out.At.IsZero() || v.At.Before(out.At)) {
			out.At = v.At
		}
	}
	return out, nil
}

// tooOld tells whether a value has no use for a decision. The HPA uses values
// of any age.
func (l *look) tooOld(at time.Time) bool {
	rules := &l.Policy.Horizontal
	return !rules.Upstream && !at.IsZero() && at.Before(l.At.Add(-rules.StaleAfter))
}

func (o *Observer) objectMetric(ctx context.Context, l *look, m *v1alpha1.MetricSpec) (scale.Sample, error) {
	of := m.Object.DescribedObject
	gv, err := schema.ParseGroupVersion(of.APIVersion)
	if err != nil {
		return scale.Sample{}, fmt.Errorf("describedObject.apiVersion: %w", err)
	}
	return o.metrics.Object(ctx, l.metric(m.Object.Metric), metricsapi.ObjectKey{Kind: gv.WithKind(of.Kind).GroupKind(), Name: of.Name})
}

func (o *Observer) externalMetric(ctx context.Context, l *look, m *v1alpha1.MetricSpec) (scale.Sample, error) {
	return o.metrics.External(ctx, l.metric(m.External.Metric))
}

func (o *Observer) prometheusMetric(ctx context.Context, l *look, m *v1alpha1.MetricSpec) (scale.Sample, error) {
	client, err := o.prometheus.client()
	if err != nil {
		return scale.Sample{}, err
	}
	return client.Sample(ctx, l.Object.Namespace, m.External.Prometheus.Query, l.maxAge())
}
