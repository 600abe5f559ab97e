package adapter

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/metrics/pkg/apis/custom_metrics"
	"k8s.io/metrics/pkg/apis/external_metrics"
	"sigs.k8s.io/custom-metrics-apiserver/pkg/provider"
	"sigs.k8s.io/custom-metrics-apiserver/pkg/provider/helpers"
)

// Provider answers the metrics APIs out of a script.
type Provider struct {
	script *Script
	client dynamic.Interface
	mapper apimeta.RESTMapper
	now    func() time.Time
}

var _ provider.MetricsProvider = (*Provider)(nil)

// GetExternalMetric returns every series of the metric that the selector accepts.
// There may be none.
func (p *Provider) GetExternalMetric(_ context.Context, namespace string, selector labels.Selector,
	info provider.ExternalMetricInfo) (*external_metrics.ExternalMetricValueList, error) {
	list := &external_metrics.ExternalMetricValueList{}
	found := p.script.Match(namespace, selector, func(e Entry) bool { return e.External == info.Metric })
	for _, e := range found {
		if e.Value == failure {
			return nil, scriptedError(info.Metric)
		}
		list.Items = append(list.Items, external_metrics.ExternalMetricValue{
			MetricName: info.Metric, MetricLabels: e.Labels, Value: e.quantity, Timestamp: p.timestamp(e),
		})
	}
	return list, nil
}

// ListAllExternalMetrics lists the external metrics in the script.
func (p *Provider) ListAllExternalMetrics() []provider.ExternalMetricInfo {
	var list []provider.ExternalMetricInfo
	for _, e := range p.script.All() {
		if e.External != "" {
			list = append(list, provider.ExternalMetricInfo{Metric: e.External})
		}
	}
	return list
}

// GetMetricByName returns the value of a metric for one object.
func (p *Provider) GetMetricByName(_ context.Context, name types.NamespacedName, info provider.CustomMetricInfo,
	selector labels.Selector) (*custom_metrics.MetricValue, error) {
	found, info, err := p.custom(name.Namespace, info, selector)
	if err != nil {
		return nil, err
	}
	e, ok := forObject(found, name.Name)
	if !ok {
		return nil, provider.NewMetricNotFoundForError(info.GroupResource, info.Metric, name.Name)
	}
	return p.value(e, name, info, 1)
}

// GetMetricBySelector returns the values of a metric for all objects that a
// selector accepts.
func (p *Provider) GetMetricBySelector(_ context.Context, namespace string, objects labels.Selector, info provider.CustomMetricInfo,
	selector labels.Selector) (*custom_metrics.MetricValueList, error) {
	found, info, err := p.custom(namespace, info, selector)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, provider.NewMetricNotFoundError(info.GroupResource, info.Metric)
	}
	names, err := helpers.ListObjectNames(p.mapper, p.client, namespace, objects, info)
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", info.GroupResource, err)
	}
	list := &custom_metrics.MetricValueList{}
	for _, name := range names {
		e, ok := forObject(found, name)
		if !ok {
			continue
		}
		value, err := p.value(e, types.NamespacedName{Namespace: namespace, Name: name}, info, len(names))
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, *value)
	}
	return list, nil
}

// ListAllMetrics lists the custom metrics in the script.
func (p *Provider) ListAllMetrics() []provider.CustomMetricInfo {
	var list []provider.CustomMetricInfo
	for _, e := range p.script.All() {
		if e.Custom != "" {
			list = append(list, provider.CustomMetricInfo{GroupResource: e.groupResource(), Namespaced: true, Metric: e.Custom})
		}
	}
	return list
}

// custom finds the entries of a custom metric, and its kind of object under the
// name the API server uses.
func (p *Provider) custom(namespace string, info provider.CustomMetricInfo, selector labels.Selector) ([]Entry, provider.CustomMetricInfo, error) {
	info, _, err := info.Normalized(p.mapper)
	if err != nil {
		return nil, info, fmt.Errorf("finding resource %s: %w", info.GroupResource, err)
	}
	return p.script.Match(namespace, selector, func(e Entry) bool {
		return e.Custom == info.Metric && e.groupResource() == info.GroupResource
	}), info, nil
}

func (p *Provider) value(e Entry, name types.NamespacedName, info provider.CustomMetricInfo, n int) (*custom_metrics.MetricValue, error) {
	if e.Value == failure {
		return nil, scriptedError(info.Metric)
	}
	object, err := helpers.ReferenceFor(p.mapper, name, info)
	if err != nil {
		return nil, fmt.Errorf("describing %s: %w", name, err)
	}
	value := &custom_metrics.MetricValue{
		DescribedObject: object,
		Metric:          custom_metrics.MetricIdentifier{Name: info.Metric},
		Timestamp:       p.timestamp(e),
		Value:           e.share(n),
	}
	if len(e.Labels) > 0 {
		value.Metric.Selector = &metav1.LabelSelector{MatchLabels: e.Labels}
	}
	return value, nil
}

// forObject picks the entry for one object: one that names it goes before one
// for every object.
func forObject(entries []Entry, name string) (Entry, bool) {
	var general Entry
	found := false
	for _, e := range entries {
		switch e.Name {
		case name:
			return e, true
		case "":
			general, found = e, true
		}
	}
	return general, found
}

func (p *Provider) timestamp(e Entry) metav1.Time { return metav1.NewTime(p.now().Add(-e.age)) }

func scriptedError(metric string) error {
	return apierrors.NewInternalError(fmt.Errorf("metric %s fails because the script says so", metric))
}
