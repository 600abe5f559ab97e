package convert

import (
	"strings"
	"testing"
)

// TestNoMetricIsInvented: an HPA without metrics is one that scales by cpu at 80 %.
func TestNoMetricIsInvented(t *testing.T) {
	const head = `{"apiVersion": "autoscaling.tidemark.dev/v1alpha1", "kind": "WorkloadAutoscaler", "metadata": {"name": "web"},
		"spec": {"targetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "replicas": {"max": 10}`
	for name, c := range map[string]struct{ rest, want string }{
		"nothing asks for a count":    {`, "vertical": {"update": "Recreate"}, "containers": [{"name": "*", "cpu": {"scaling": "Vertical"}}]`, "spec.metrics: is empty"},
		"no metric can be said":       {`, "metrics": [{"type": "Resource", "resource": {"name": "cpu", "watermarks": {"type": "Utilization", "low": "40", "high": "60"}}}]`, "spec.metrics: holds none"},
		"an HPA without metrics":      {`, "compatibility": "HPA"`, ""},
		"a metric that an HPA can be": {`, "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"averageUtilization": 60}}}]`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Convert([]byte(head + c.rest + "}}"))
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("want %q, got %v", c.want, err)
			}
		})
	}
}

// TestWhatIsLost: strict is about what did something, and not about what the
// cluster writes or nobody reads.
func TestWhatIsLost(t *testing.T) {
	const keda = `{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": {"name": "web", "uid": "1", "finalizers": ["f"]}, "status": {}, "spec": {"scaleTargetRef": {"name": "web"}`
	const cpu = `{"type": "cpu", "metricType": "Utilization", "metadata": {"value": "60"}}`
	for name, c := range map[string]struct {
		document string
		want     []string
	}{
		"nothing":                {keda + `, "pollingInterval": 5, "cooldownPeriod": 60, "triggers": [` + cpu + `]}}`, nil},
		"a trigger with KEDA":    {keda + `, "triggers": [` + cpu + `, {"type": "kafka", "metadata": {}}]}}`, []string{"spec.triggers[1]"}},
		"how often KEDA asks":    {keda + `, "pollingInterval": 5, "triggers": [{"type": "prometheus", "metadata": {"query": "x", "threshold": "5", "metricName": "y"}}]}}`, []string{"spec.pollingInterval"}},
		"a field of nobody":      {keda + `, "shade": "red", "triggers": [` + cpu + `]}}`, []string{"spec.shade"}},
		"waiting for nothing":    {keda + `, "minReplicaCount": 1, "cooldownPeriod": 5, "triggers": [{"type": "kafka", "metadata": {}}]}}`, []string{"spec.triggers[0]"}},
		"waiting before nothing": {keda + `, "cooldownPeriod": 5, "triggers": [` + cpu + `, {"type": "kafka", "metadata": {}}]}}`, []string{"spec.cooldownPeriod", "spec.triggers[1]"}},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := Convert([]byte(c.document))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range result.Report.Losses() {
				got = append(got, f.Path)
			}
			if strings.Join(got, " ") != strings.Join(c.want, " ") {
				t.Errorf("want %q, got %q", c.want, got)
			}
		})
	}
}
