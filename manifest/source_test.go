package manifest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// Whoever is asked, and what counts while nobody answers, stands in the object as it was
// given.
func TestSources(t *testing.T) {
	query := External("orders", AverageValue("20")).Asked("sum(orders)").IfMissing(v1alpha1.OnMissing{
		Replicas: new(int32(4)), AfterSeconds: new(int32(180)), Behavior: v1alpha1.FallbackStatic,
	})
	query.Prometheus.Address, query.Prometheus.IgnoreNullValues = "http://prometheus:9090", true
	scaler := External("queue", Goal{}).AskedOf("scaler.messaging:6000", map[string]string{"queue": "invoices"}).
		IfMissing(v1alpha1.OnMissing{Policy: v1alpha1.OnMissingIgnore})
	scaler.GRPC.TLS, scaler.GRPC.Push = &v1alpha1.GRPCTLS{ServerName: "scaler"}, true
	got, err := withMetrics(query, scaler).WorkloadAutoscaler()
	if err != nil {
		t.Fatal(err)
	}
	want := []v1alpha1.MetricSpec{
		{
			Type: v1alpha1.ExternalMetricType, OnMissing: query.OnMissing,
			External: &v1alpha1.ExternalMetric{
				Metric:     v1alpha1.MetricIdentifier{Name: "orders"},
				Prometheus: &v1alpha1.PrometheusQuery{Query: "sum(orders)", Address: "http://prometheus:9090", IgnoreNullValues: true},
				Target:     &v1alpha1.MetricTarget{Type: v1alpha1.AverageValueTarget, AverageValue: quantity("20")},
			},
		},
		{
			Type: v1alpha1.ExternalMetricType, OnMissing: &v1alpha1.OnMissing{Policy: v1alpha1.OnMissingIgnore},
			External: &v1alpha1.ExternalMetric{
				Metric: v1alpha1.MetricIdentifier{Name: "queue"},
				GRPC: &v1alpha1.GRPCScaler{
					Address: "scaler.messaging:6000", Metadata: map[string]v1alpha1.ScalerValue{"queue": "invoices"},
					TLS: &v1alpha1.GRPCTLS{ServerName: "scaler"}, Push: true,
				},
			},
		},
	}
	if diff := cmp.Diff(want, got.Spec.Metrics); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

func TestFaultsOfSources(t *testing.T) {
	queue := External("queue", AverageValue("20"))
	both := queue.Asked("sum(a)").AskedOf("scaler:6000", nil)
	checkFaults(t, WorkloadAutoscaler, map[string]faultCase{
		"a query of a resource":      {withMetrics(Resource("cpu", Utilization(50)).Asked("a")), []string{"metrics[0].prometheus"}},
		"a scaler of pods":           {withMetrics(Pods("tps", AverageValue("5")).AskedOf("scaler:6000", nil)), []string{"metrics[0].grpc"}},
		"two that are asked":         {withMetrics(both), []string{"metrics[0].grpc"}},
		"an address without a port":  {withMetrics(queue.AskedOf("scaler", nil)), []string{"metrics[0].grpc.address"}},
		"a query and a selector":     {withMetrics(queue.Asked("a").Where(map[string]string{"a": "b"})), []string{"metrics[0].selector"}},
		"an empty query":             {withMetrics(queue.Asked("")), []string{"metrics[0].prometheus.query"}},
		"no quantity beside a query": {withMetrics(External("queue", Goal{}).Asked("a")), []string{"metrics[0]"}},
		"two queries":                {withMetrics(queue.Asked("a"), queue.Asked("b")), nil},
		"one query twice":            {withMetrics(queue.Asked("a"), queue.Asked("a")), []string{"metrics[1]"}},
		"nothing that counts":        {withMetrics(queue.IfMissing(v1alpha1.OnMissing{})), []string{"metrics[0].onMissing"}},
		"a word and a count":         {withMetrics(queue.IfMissing(v1alpha1.OnMissing{Policy: "Hold", Replicas: new(int32(1))})), []string{"metrics[0].onMissing"}},
		"a time before nothing": {
			withMetrics(queue.IfMissing(v1alpha1.OnMissing{Replicas: new(int32(1)), AfterSeconds: new(int32(-1))})), []string{"metrics[0].onMissing.afterSeconds"},
		},
		"an unknown behavior": {
			withMetrics(queue.IfMissing(v1alpha1.OnMissing{Replicas: new(int32(1)), Behavior: "Sometimes"})), []string{"metrics[0].onMissing.behavior"},
		},
	})
	checkFaults(t, HorizontalPodAutoscaler, map[string]faultCase{
		"an HPA asks nobody": {
			withMetrics(queue.Asked("a").IfMissing(v1alpha1.OnMissing{Policy: "Hold"}), External("other", AverageValue("20")).AskedOf("scaler:6000", nil)),
			[]string{"metrics[0].prometheus", "metrics[0].onMissing", "metrics[1].grpc"},
		},
	})
}
