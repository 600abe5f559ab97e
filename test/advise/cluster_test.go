//go:build e2e

package advise_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/internal/cli"
	"github.com/tidemark/tidemark/test/live"
)

// definition is one of a kind that is not ours, with fields of any name.
const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[1]s.%[2]s}
spec:
  group: %[2]s
  scope: Namespaced
  names: {plural: %[1]s, singular: %[3]s, kind: %[4]s}
  versions:
  - name: v1alpha1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
---`

// workload is a Deployment whose pods run nothing.
const workload = `
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: shop, name: %[1]s, labels: {app: %[1]s}}
spec:
  replicas: 2
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata: {labels: {app: %[1]s}}
    spec:
      containers:
      - {name: app, image: app, resources: {requests: {cpu: 500m, memory: 512Mi}}}
---`

// autoscalers scale all workloads but none.
const autoscalers = `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {namespace: shop, name: by-hpa}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: by-hpa}
  minReplicas: 2
  maxReplicas: 60
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]
---
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {namespace: shop, name: by-vpa}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: by-vpa}
  updatePolicy: {updateMode: "Off"}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {namespace: shop, name: by-keda}
spec:
  scaleTargetRef: {name: by-keda}
  minReplicaCount: 2
  maxReplicaCount: 40
  triggers: [{type: cpu, metricType: Utilization, metadata: {value: "60"}}]
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {namespace: shop, name: by-queue}
spec:
  scaleTargetRef: {name: by-queue}
  minReplicaCount: 2
  maxReplicaCount: 40
  triggers: [{type: prometheus, metadata: {serverAddress: "http://prometheus:9090", query: "sum(queue_length)", threshold: "100"}}]
---
apiVersion: datadoghq.com/v1alpha1
kind: WatermarkPodAutoscaler
metadata: {namespace: shop, name: by-wpa}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: by-wpa}
  minReplicas: 2
  maxReplicas: 50
  algorithm: average
  metrics: [{type: Resource, resource: {name: cpu, highWatermark: 400m, lowWatermark: 250m}}]
`

// scaledBy is what the advice should call who scales each workload.
var scaledBy = map[string]string{
	"by-hpa": "HPA cpu 60%", "by-vpa": "nothing", "by-keda": "KEDA cpu 60%", "by-queue": "KEDA prometheus", "by-wpa": "WPA cpu", "by-none": "nothing",
}

// apply gives the cluster objects.
func apply(t *testing.T, c *live.Cluster, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "objects.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Kubectl("apply", "-f", file); err != nil {
		t.Fatal(err)
	}
}

// populate fills a cluster with workloads, and everybody who could scale them.
func populate(t *testing.T, c *live.Cluster) {
	t.Helper()
	if err := c.Install(); err != nil {
		t.Fatal(err)
	}
	definitions := fmt.Sprintf(definition, "scaledobjects", "keda.sh", "scaledobject", "ScaledObject") +
		fmt.Sprintf(definition, "watermarkpodautoscalers", "datadoghq.com", "watermarkpodautoscaler", "WatermarkPodAutoscaler")
	apply(t, c, strings.TrimSuffix(definitions, "---"))
	if _, err := c.Kubectl("wait", "--for=condition=Established", fmt.Sprint("--timeout=", live.Patience), "crd", "--all"); err != nil {
		t.Fatal(err)
	}
	text := "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---"
	for name := range scaledBy {
		text += fmt.Sprintf(workload, name)
	}
	apply(t, c, text+autoscalers)
}

// TestAdviceOnACluster: workloads and who scales them are found in a real cluster,
// whatever the kind, and their past in a real Prometheus. What is written passes
// lint, and the API server takes it.
func TestAdviceOnACluster(t *testing.T) {
	cluster, err := live.Up(t.Context(), t.TempDir(), live.Shape{Nodes: 1, With: "vpa"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Down)
	populate(t, cluster)
	const length = week + 24*time.Hour
	past := madeUp(t, 0, len(scaledBy), length)
	i := 0
	for name := range scaledBy {
		// The cluster says who scales what, so Prometheus need not.
		past[i].name, past[i].target = name, 0
		i++
	}
	data, objects := t.TempDir(), filepath.Join(t.TempDir(), "objects")
	block(t, data, length, once(past))
	out, stderr, code := execute("--prometheus", serve(t, data), "--kubeconfig", cluster.Kubeconfig, "-n", "shop",
		"--until", begin.Add(length).Format(time.RFC3339), "--quick", "--write", objects, "-o", "json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var got struct {
		Workloads []advise.Advice `json:"workloads"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Workloads) != len(scaledBy) {
		t.Fatalf("%d workloads, %v", len(got.Workloads), err)
	}
	for _, a := range got.Workloads {
		if a.Scaled != scaledBy[a.Name] || a.Verdict == advise.Unjudged || a.Object == nil {
			t.Errorf("%s: scaled by %s, want %s; %s %s", a.Name, a.Scaled, scaledBy[a.Name], a.Says, a.Unwritten)
		}
	}
	var lint, problems bytes.Buffer
	if code := cli.Main([]string{"tidemark", "lint", objects}, strings.NewReader(""), &lint, &problems); code != 0 || strings.Contains(lint.String(), "warning") {
		t.Errorf("lint ends with %d:\n%s%s", code, lint.String(), problems.String())
	}
	applied, err := cluster.Kubectl("apply", "--server-side", "--dry-run=server", "--recursive", "-f", objects)
	if n := strings.Count(applied, "serverside-applied"); err != nil || n != len(scaledBy) {
		t.Errorf("%d objects are taken, %v:\n%s", n, err, applied)
	}
}
