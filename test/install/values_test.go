package install_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestValues looks at what a value adds to the default installation and what
// it takes away.
func TestValues(t *testing.T) {
	defaults := ofChart(t, "").names()
	webhook := []string{
		"MutatingWebhookConfiguration /tidemark", "Secret tidemark-system/tidemark-webhook-certificate", "Service tidemark-system/tidemark-webhook",
	}
	for name, tc := range map[string]struct {
		values       string
		missing, new []string
	}{
		"without the webhook": {values: `webhook: {enabled: false}`, missing: webhook},
		"without the CRDs": {values: `crds: {install: false}`, missing: []string{
			"CustomResourceDefinition /workloadautoscalers.autoscaling.tidemark.dev", "CustomResourceDefinition /workloadcourses.autoscaling.tidemark.dev",
			"CustomResourceDefinition /workloadhistories.autoscaling.tidemark.dev",
		}},
		"without a network policy":    {values: `networkPolicy: {enabled: false}`, missing: []string{"NetworkPolicy tidemark-system/tidemark"}},
		"without a disruption budget": {values: `podDisruptionBudget: {enabled: false}`, missing: []string{"PodDisruptionBudget tidemark-system/tidemark"}},
		"with fresh metrics": {values: `freshMetrics: {enabled: true}`, new: []string{
			"ClusterRole /tidemark-kubelets", "ClusterRole /tidemark-nodes", "ClusterRoleBinding /tidemark-kubelets", "ClusterRoleBinding /tidemark-nodes",
			"NetworkPolicy tidemark-system/tidemark-kubelets",
			"Role tidemark-system/tidemark-kubelets", "RoleBinding tidemark-system/tidemark-kubelets", "ServiceAccount tidemark-system/tidemark-kubelets",
		}},
		"with fresh metrics and without policies": {
			values:  `{freshMetrics: {enabled: true}, networkPolicy: {enabled: false}}`,
			missing: []string{"NetworkPolicy tidemark-system/tidemark"},
			new: []string{
				"ClusterRole /tidemark-kubelets", "ClusterRole /tidemark-nodes", "ClusterRoleBinding /tidemark-kubelets", "ClusterRoleBinding /tidemark-nodes",
				"Role tidemark-system/tidemark-kubelets", "RoleBinding tidemark-system/tidemark-kubelets", "ServiceAccount tidemark-system/tidemark-kubelets",
			},
		},
		"with pages": {values: `ui: {enabled: true}`, new: []string{
			"ClusterRole /tidemark-ui", "ClusterRoleBinding /tidemark-ui", "Deployment tidemark-system/tidemark-ui", "NetworkPolicy tidemark-system/tidemark-ui",
			"Service tidemark-system/tidemark-ui", "ServiceAccount tidemark-system/tidemark-ui",
		}},
		"with the rights to show sizes and costs": {
			values: `nodeAutoscalers: {publishVPA: true, deletionCost: true}`, new: []string{"ClusterRole /tidemark-deletion-cost", "ClusterRole /tidemark-publish-vpa"},
		},
		"with a Prometheus server": {
			values: `config: {admin: {prometheus: {address: "http://prometheus.monitoring:9090"}}}`, new: []string{"NetworkPolicy tidemark-system/tidemark-sources"},
		},
		"with a Prometheus server and without policies": {
			values:  `{config: {admin: {prometheus: {address: "http://prometheus.monitoring:9090"}}}, networkPolicy: {enabled: false}}`,
			missing: []string{"NetworkPolicy tidemark-system/tidemark"},
		},
		"with readers of metrics": {
			values: `metrics: {readers: [{namespace: monitoring, name: prometheus}], serviceMonitor: {enabled: true}}`,
			new:    []string{"ClusterRoleBinding /tidemark-metrics-readers", "ServiceMonitor tidemark-system/tidemark"},
		},
		"in two shards": {
			values:  `shards: 2`,
			missing: []string{"Deployment tidemark-system/tidemark", "PodDisruptionBudget tidemark-system/tidemark"},
			new: []string{
				"Deployment tidemark-system/tidemark-0", "Deployment tidemark-system/tidemark-1",
				"PodDisruptionBudget tidemark-system/tidemark-0", "PodDisruptionBudget tidemark-system/tidemark-1",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := ofChart(t, tc.values).names()
			if diff := cmp.Diff(tc.missing, without(defaults, got)); diff != "" {
				t.Errorf("taken away (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.new, without(got, defaults)); diff != "" {
				t.Errorf("added (-want +got):\n%s", diff)
			}
		})
	}
}

func without(all, others []string) []string {
	var rest []string
	for _, name := range all {
		if !slices.Contains(others, name) {
			rest = append(rest, name)
		}
	}
	return rest
}

// TestFields looks at single fields that a value sets.
func TestFields(t *testing.T) {
	const (
		deployment = "Deployment tidemark-system/tidemark"
		webhook    = "MutatingWebhookConfiguration /tidemark"
		crd        = "CustomResourceDefinition /workloadautoscalers.autoscaling.tidemark.dev"
		sources    = "NetworkPolicy tidemark-system/tidemark-sources"
		monitor    = "ServiceMonitor tidemark-system/tidemark"
		readers    = "ClusterRoleBinding /tidemark-metrics-readers"
	)
	sum := strings.Repeat("ab", 32)
	port := []string{"spec", "egress", "0", "ports", "0", "port"}
	for name, tc := range map[string]struct {
		values, object, want string
		path                 []string
	}{
		"replicas":                     {`replicas: 3`, deployment, "3", []string{"spec", "replicas"}},
		"a node selector":              {`nodeSelector: {a: b}`, deployment, "map[a:b]", []string{"spec", "template", "spec", "nodeSelector"}},
		"a label of pods":              {`podLabels: {a: b}`, deployment, "b", []string{"spec", "template", "metadata", "labels", "a"}},
		"no priority class":            {`priorityClassName: ""`, deployment, "<nil>", []string{"spec", "template", "spec", "priorityClassName"}},
		"CRDs are kept":                {``, crd, "keep", []string{"metadata", "annotations", "helm.sh/resource-policy"}},
		"CRDs are not kept":            {`crds: {keep: false}`, crd, "<nil>", []string{"metadata", "annotations", "helm.sh/resource-policy"}},
		"an image":                     {`image: {repository: registry/tidemark, tag: v1}`, deployment, "registry/tidemark:v1", []string{"spec", "template", "spec", "containers", "0", "image"}},
		"an image by its digest":       {`image: {digest: "sha256:` + sum + `"}`, deployment, "registry.example.com/tidemark:latest@sha256:" + sum, []string{"spec", "template", "spec", "containers", "0", "image"}},
		"a tag goes before the digest": {`image: {tag: v1, digest: "sha256:` + sum + `"}`, deployment, "registry.example.com/tidemark:v1", []string{"spec", "template", "spec", "containers", "0", "image"}},
		"a webhook in nobody's way":    {``, webhook, "Ignore", []string{"webhooks", "0", "failurePolicy"}},
		"time for the webhook":         {`webhook: {timeoutSeconds: 5}`, webhook, "5", []string{"webhooks", "0", "timeoutSeconds"}},
		"namespaces left alone":        {`webhook: {excludedNamespaces: [a]}`, webhook, "[a tidemark-system]", []string{"webhooks", "0", "namespaceSelector", "matchExpressions", "0", "values"}},
		"nobody waits before it runs":  {``, webhook, "map[key:kubernetes.io/metadata.name operator:In values:[]]", []string{"webhooks", "0", "namespaceSelector", "matchExpressions", "1"}},
		"a variable":                   {`extraEnv: [{name: A, value: b}]`, deployment, "map[name:A value:b]", []string{"spec", "template", "spec", "containers", "0", "env", "1"}},
		"a variable alone":             {`{resources: {limits: null}, extraEnv: [{name: A, value: b}]}`, deployment, "map[name:A value:b]", []string{"spec", "template", "spec", "containers", "0", "env", "0"}},
		"a volume":                     {`extraVolumes: [{name: ca, configMap: {name: ca}}]`, deployment, "map[configMap:map[name:ca] name:ca]", []string{"spec", "template", "spec", "volumes", "1"}},
		"a mounted volume":             {`extraVolumeMounts: [{name: ca, mountPath: /ca}]`, deployment, "map[mountPath:/ca name:ca]", []string{"spec", "template", "spec", "containers", "0", "volumeMounts", "1"}},
		"the port of Prometheus":       {`config: {admin: {prometheus: {address: "http://prometheus.monitoring:9090"}}}`, sources, "9090", port},
		"its port by its scheme":       {`config: {admin: {prometheus: {address: "http://prometheus/path"}}}`, sources, "80", port},
		"its port with TLS":            {`config: {admin: {prometheus: {address: "https://prometheus"}}}`, sources, "443", port},
		"its port behind IPv6":         {`config: {admin: {prometheus: {address: "http://[fd00::1]:9090"}}}`, sources, "9090", port},
		"the port of a tenant's own":   {`config: {admin: {prometheus: {tenants: [{namespaces: [a], address: "http://q:9091"}]}}}`, sources, "9091", port},
		"the port of a scaler":         {`config: {admin: {allowedScalerHosts: ["scaler.messaging:6000"]}}`, sources, "6000", port},
		"another way out":              {`networkPolicy: {egress: [{ports: [{port: 8443}]}]}`, sources, "8443", port},
		"a way out to somewhere":       {`networkPolicy: {egress: [{to: [{podSelector: {a: b}}]}]}`, sources, "[map[podSelector:map[a:b]]]", []string{"spec", "egress", "0", "to"}},
		"a token of its own":           {`metrics: {serviceMonitor: {enabled: true}}`, monitor, "/var/run/secrets/kubernetes.io/serviceaccount/token", []string{"spec", "endpoints", "0", "bearerTokenFile"}},
		"a token from a Secret":        {`metrics: {serviceMonitor: {enabled: true, authorization: {credentials: {name: a, key: b}}}}`, monitor, "map[credentials:map[key:b name:a]]", []string{"spec", "endpoints", "0", "authorization"}},
		"no token from a file beside":  {`metrics: {serviceMonitor: {enabled: true, authorization: {credentials: {name: a, key: b}}}}`, monitor, "<nil>", []string{"spec", "endpoints", "0", "bearerTokenFile"}},
		"metrics over https":           {`metrics: {serviceMonitor: {enabled: true}}`, monitor, "https", []string{"spec", "endpoints", "0", "scheme"}},
		"metrics over http":            {`metrics: {authenticate: false, serviceMonitor: {enabled: true}}`, monitor, "http", []string{"spec", "endpoints", "0", "scheme"}},
		"an authority to verify by":    {`metrics: {serviceMonitor: {enabled: true, tlsConfig: {serverName: a}}}`, monitor, "map[serverName:a]", []string{"spec", "endpoints", "0", "tlsConfig"}},
		"a reader of metrics":          {`metrics: {readers: [{namespace: monitoring, name: prometheus}]}`, readers, "map[kind:ServiceAccount name:prometheus namespace:monitoring]", []string{"subjects", "0"}},
		"no root that is written":      {``, deployment, "true", []string{"spec", "template", "spec", "containers", "0", "securityContext", "readOnlyRootFilesystem"}},
		"the runtime's seccomp":        {``, deployment, "RuntimeDefault", []string{"spec", "template", "spec", "securityContext", "seccompProfile", "type"}},
		"the shard's number":           {`shards: 2`, deployment + "-1", "[controller --config=/etc/tidemark/config.yaml --shard=1/2]", []string{"spec", "template", "spec", "containers", "0", "args"}},
	} {
		t.Run(name, func(t *testing.T) {
			obj := ofChart(t, tc.values)[tc.object]
			if obj == nil {
				t.Fatalf("there is no %s", tc.object)
			}
			if got := at(obj, tc.path); got != tc.want {
				t.Errorf("%s is %s, want %s", strings.Join(tc.path, "."), got, tc.want)
			}
		})
	}
}

// TestAnyNamespace: nothing of the base's namespace is left in a release that
// is installed elsewhere.
func TestAnyNamespace(t *testing.T) {
	text, notes, err := render(t.Context(), `{freshMetrics: {enabled: true}, ui: {enabled: true}}`, "platform")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text+notes, namespace) {
		t.Errorf("a release in another namespace still speaks of %s", namespace)
	}
	for name, obj := range parse(t, []byte(text)) {
		if cluster := clusterWide[obj.GetKind()]; !cluster && obj.GetNamespace() != "platform" {
			t.Errorf("%s is not in the namespace of the release", name)
		}
	}
}

var clusterWide = map[string]bool{
	"ClusterRole": true, "ClusterRoleBinding": true, "CustomResourceDefinition": true, "MutatingWebhookConfiguration": true, "Namespace": true,
}

func TestBadValuesAreRefused(t *testing.T) {
	for name, values := range map[string]string{
		"a value that is misspelled":        `replica: 3`,
		"one inside of another":             `webhook: {enable: true}`,
		"a host with a port":                `ui: {hosts: ["a.example.com:443"]}`,
		"pages that are misspelled":         `ui: {enable: true}`,
		"no shards":                         `shards: 0`,
		"a webhook that is waited for long": `webhook: {timeoutSeconds: 31}`,
		"half a digest":                     `image: {digest: "sha256:abc"}`,
		"an unknown pull policy":            `image: {pullPolicy: Sometimes}`,
		"the webhook in two places":         `config: {webhook: {enabled: true}}`,
		"metrics in two places":             `config: {metrics: {authenticate: false}}`,
		"a reader without a namespace":      `metrics: {readers: [{name: prometheus}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := render(t.Context(), values, namespace); err == nil {
				t.Errorf("%s was accepted", values)
			}
		})
	}
}

// at returns the value at a path as text.
func at(obj *unstructured.Unstructured, path []string) string {
	var node any = obj.Object
	for _, step := range path {
		switch inner := node.(type) {
		case map[string]any:
			node = inner[step]
		case []any:
			node = inner[int(step[0]-'0')]
		default:
			node = nil
		}
	}
	return fmt.Sprint(node)
}
