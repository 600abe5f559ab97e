package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/metricsapi"
	"github.com/tidemark/tidemark/internal/observe/scaler"
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
		case v.Contradicts && !l.Policy.Horizontal.Upstream:
			return scale.Sample{}, contradicting(l.obs.Pods[i].Name)
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

// contradicting is what two values of one pod are told as. Nobody knows which of
// them is right, and neither is what the others add up to.
func contradicting(pod string) error {
	return fmt.Errorf("the source has several samples of pod %s that contradict each other: find out why it lists the pod more than once", pod)
}

// tooOld tells whether a value has no use for a decision: one that does not say
// when it was measured may be of any age. The HPA uses values of any age.
func (l *look) tooOld(at time.Time) bool {
	rules := &l.Policy.Horizontal
	return !rules.Upstream && at.Before(l.At.Add(-rules.StaleAfter))
}

// dated refuses a value that does not say when it was measured.
func (l *look) dated(s scale.Sample, err error) (scale.Sample, error) {
	if err == nil && s.Problem == "" && len(s.Series) > 0 && s.At.IsZero() && !l.Policy.Horizontal.Upstream {
		return scale.Sample{}, errors.New("the source does not say when its value was measured: have it give a timestamp")
	}
	return s, err
}

func (o *Observer) objectMetric(ctx context.Context, l *look, m *v1alpha1.MetricSpec) (scale.Sample, error) {
	of := m.Object.DescribedObject
	gv, err := schema.ParseGroupVersion(of.APIVersion)
	if err != nil {
		return scale.Sample{}, fmt.Errorf("describedObject.apiVersion: %w", err)
	}
	return l.dated(o.metrics.Object(ctx, l.metric(m.Object.Metric), metricsapi.ObjectKey{Kind: gv.WithKind(of.Kind).GroupKind(), Name: of.Name}))
}

func (o *Observer) externalMetric(ctx context.Context, l *look, m *v1alpha1.MetricSpec) (scale.Sample, error) {
	return l.dated(o.metrics.External(ctx, l.metric(m.External.Metric)))
}

func (o *Observer) prometheusMetric(ctx context.Context, l *look, m *v1alpha1.MetricSpec) (scale.Sample, error) {
	client, err := o.prometheus.client(l.Object.Namespace)
	if err != nil {
		return scale.Sample{}, err
	}
	return client.Sample(ctx, l.Object.Namespace, m.External.Prometheus, l.maxAge())
}

func (o *Observer) scalerMetric(ctx context.Context, l *look, m *v1alpha1.MetricSpec) (scale.Sample, error) {
	return o.scalers.Sample(ctx, scaler.Question{
		Namespace: l.Object.Namespace, Name: l.Object.Name, Metric: m.External.Metric.Name, Scaler: m.External.GRPC,
	}, l.maxAge())
}
