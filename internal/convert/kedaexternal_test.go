package convert

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestWhatStaysWithKEDA: triggers that only KEDA can measure are left to it, in an
// object that points at ours, and no trigger is in both.
func TestWhatStaysWithKEDA(t *testing.T) {
	const head = `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: worker, annotations: {autoscaling.keda.sh/paused: "false"}, uid: x}, status: {a: b}, spec: {` +
		`scaleTargetRef: {name: worker, envSourceContainerName: app}, minReplicaCount: 1, triggers: [`
	const kafka = `{type: kafka, metadata: {lagThreshold: "5"}}`
	for name, tt := range map[string]struct {
		triggers string
		// metrics is how many become ours, kept what is left.
		metrics int
		kept    string
	}{
		"all of them":               {kafka, 0, kafka},
		"none":                      {`{type: cpu, metadata: {value: "60"}}`, 1, ""},
		"some":                      {`{type: cpu, metadata: {value: "60"}}, ` + kafka, 1, kafka},
		"a scaler is ours":          {`{type: external, metadata: {scalerAddress: "scaler:6000"}}, ` + kafka, 1, kafka},
		"a query is ours":           {`{type: prometheus, metadata: {serverAddress: "http://p", query: up, threshold: "5"}}`, 1, ""},
		"a scaler with a secret":    {`{type: external-push, authenticationRef: {name: s}, metadata: {scalerAddress: "scaler:6000"}}`, 0, `{type: external-push, authenticationRef: {name: s}, metadata: {scalerAddress: "scaler:6000"}}`},
		"a scaler of the variables": {`{type: external, metadata: {scalerAddressFromEnv: A}}`, 0, `{type: external, metadata: {scalerAddressFromEnv: A}}`},
		"a scaler by value":         {`{type: external, metricType: Value, metadata: {scalerAddress: "scaler:6000"}}`, 0, `{type: external, metricType: Value, metadata: {scalerAddress: "scaler:6000"}}`},
		"a query of a tenant":       {`{type: prometheus, metadata: {serverAddress: "http://p", query: up, threshold: "5", namespace: shop, customHeaders: "X-Scope-OrgID=shop,X-A=b"}}`, 1, ``},
		"a query with parameters":   {`{type: prometheus, metadata: {query: up, threshold: "5", queryParameters: a=b}}`, 0, `{type: prometheus, metadata: {query: up, threshold: "5", queryParameters: a=b}}`},
		"headers of no form":        {`{type: prometheus, metadata: {query: up, threshold: "5", customHeaders: shop}}`, 0, `{type: prometheus, metadata: {query: up, threshold: "5", customHeaders: shop}}`},
		"a server that is none":     {`{type: prometheus, metadata: {serverAddress: p, query: up, threshold: "5"}}`, 0, `{type: prometheus, metadata: {serverAddress: p, query: up, threshold: "5"}}`},
		"a query without TLS":       {`{type: prometheus, metadata: {serverAddress: "https://p", query: up, threshold: "5", unsafeSsl: "true"}}`, 0, `{type: prometheus, metadata: {serverAddress: "https://p", query: up, threshold: "5", unsafeSsl: "true"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := yaml.YAMLToJSON([]byte(head + tt.triggers + `]}}`))
			if err != nil {
				t.Fatal(err)
			}
			got, err := Convert(text)
			if err != nil {
				t.Fatal(err)
			}
			var want map[string]any
			if tt.kept != "" {
				document := `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: worker}, spec: {minReplicaCount: 1,
					scaleTargetRef: {apiVersion: autoscaling.tidemark.dev/v1alpha1, kind: WorkloadAutoscaler, name: worker},
					advanced: {horizontalPodAutoscalerConfig: {behavior: {scaleDown: {stabilizationWindowSeconds: 0}}}}, triggers: [` + tt.kept + `]}}`
				if err := yaml.Unmarshal([]byte(document), &want); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(want, asRead(t, got.Beside)); diff != "" {
				t.Errorf("left for KEDA (-want +got):\n%s", diff)
			}
			if n := len(got.Object.(*v1alpha1.WorkloadAutoscaler).Spec.Metrics); n != tt.metrics {
				t.Errorf("%d metrics are ours, want %d", n, tt.metrics)
			}
		})
	}
}

// asRead is a tree as a reader of its YAML has it.
func asRead(t *testing.T, tree map[string]any) (out map[string]any) {
	t.Helper()
	if tree == nil {
		return nil
	}
	text, err := yaml.Marshal(tree)
	if err == nil {
		err = yaml.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTriggersOfScalersAndQueries(t *testing.T) {
	spec, fates := converted(t, `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {name: web}, minReplicaCount: 2, maxReplicaCount: 9, triggers: [
		{type: external, name: jobs, metadata: {scalerAddress: "scaler.messaging:6000", queue: jobs, enableTLS: "true"}},
		{type: prometheus, metadata: {serverAddress: "http://p:9090", query: up, threshold: "5", ignoreNullValues: "false"}},
		{type: prometheus, metadata: {serverAddress: "http://p:9090", query: down, threshold: "5"}}]}}`)
	want := specOf(t, `{targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, compatibility: HPA, replicas: {min: 2, max: 9}, metrics: [
		{type: External, external: {metric: {name: jobs}, grpc: {address: "scaler.messaging:6000", tls: {}, metadata: {
			scalerAddress: "scaler.messaging:6000", queue: jobs, enableTLS: "true"}}}},
		{type: External, external: {metric: {name: prometheus}, prometheus: {query: up, address: "http://p:9090"}, target: {type: AverageValue, averageValue: 5}}},
		{type: External, external: {metric: {name: prometheus}, prometheus: {query: down, address: "http://p:9090", ignoreNullValues: true}, target: {type: AverageValue, averageValue: 5}}}]}`)
	if diff := cmp.Diff(want, spec); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for path, words := range map[string]string{
		"spec.triggers[0].metadata.scalerAddress":              "allowedScalerHosts",
		"spec.triggers[1].metadata.serverAddress":              "only the administrator's server is",
		"spec.metrics[2].external.prometheus.ignoreNullValues": "is true, as KEDA's default is",
	} {
		t.Run(path, func(t *testing.T) {
			if !strings.Contains(fates[path].Note, words) {
				t.Errorf("got %+v, want it to say %q", fates[path], words)
			}
		})
	}
}

// TestTenant: what tells a server whose question it is goes where it is compared with
// what the administrator says.
func TestTenant(t *testing.T) {
	got := mustConvert(t, `{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": {"name": "web"}, "spec": {"scaleTargetRef": {"name": "web"}, "triggers": [
		{"type": "prometheus", "metadata": {"query": "up", "threshold": "5", "namespace": "shop", "customHeaders": "X-Scope-OrgID=a=b, X-B=c"}}]}}`)
	query := got.Object.(*v1alpha1.WorkloadAutoscaler).Spec.Metrics[0].External.Prometheus
	if diff := cmp.Diff(map[string]string{"X-Scope-OrgID": "a=b", "X-B": "c"}, query.Headers); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"namespace": "shop"}, query.Matchers); diff != "" {
		t.Errorf("matchers (-want +got):\n%s", diff)
	}
}
