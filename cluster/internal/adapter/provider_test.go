package adapter

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/custom-metrics-apiserver/pkg/provider"
)

func TestExternalMetric(t *testing.T) {
	script := &Script{}
	script.Load(&corev1.ConfigMap{Data: map[string]string{
		"orders":    "{external: queue, namespace: shop, labels: {queue: orders}, value: \"5\"}",
		"mails":     "{external: queue, namespace: shop, labels: {queue: mails}, value: \"7\", age: 90s}",
		"elsewhere": "{external: queue, namespace: other, value: \"9\"}",
		"anywhere":  "{external: heat, value: 36600m}",
		"broken":    "{external: broken, value: error}",
		"unread":    "{external: unread, value: lots}",
	}})
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	p := &Provider{script: script, now: func() time.Time { return now }}
	tests := map[string]struct {
		metric, selector string
		want             []string
	}{
		"every series of the namespace":      {"queue", "", []string{"7 at 11:58:30", "5 at 12:00:00"}},
		"the series that the labels select":  {"queue", "queue=orders", []string{"5 at 12:00:00"}},
		"no series with such labels":         {"queue", "queue=none", nil},
		"a series without a namespace":       {"heat", "", []string{"36600m at 12:00:00"}},
		"a metric that is not in the script": {"nothing", "", nil},
		"an entry that could not be read":    {"unread", "", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			selector, err := labels.Parse(test.selector)
			if err != nil {
				t.Fatal(err)
			}
			list, err := p.GetExternalMetric(t.Context(), "shop", selector, provider.ExternalMetricInfo{Metric: test.metric})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, item := range list.Items {
				got = append(got, item.Value.String()+" at "+item.Timestamp.Format(time.TimeOnly))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("values (-want +got):\n%s", diff)
			}
		})
	}
	_, err := p.GetExternalMetric(t.Context(), "shop", labels.Everything(), provider.ExternalMetricInfo{Metric: "broken"})
	if !apierrors.IsInternalError(err) || !strings.Contains(err.Error(), "broken") {
		t.Errorf("a scripted error: %v, want an internal error that names the metric", err)
	}
}
