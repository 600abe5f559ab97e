package inventory

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// objects are those of a cluster. The HPA that KEDA made is KEDA's affair, and the
// one of web has no metric, which lint warns of or refuses.
const objects = `
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, namespace: shop}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {template: {spec: {containers: [{name: app}]}}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: bank}}
---
{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web, namespace: shop}, spec: {maxReplicas: 9,
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web},
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]}}
---
{apiVersion: autoscaling.k8s.io/v1, kind: VerticalPodAutoscaler, metadata: {name: sizes, namespace: shop}, spec: {targetRef: {apiVersion: apps/v1, kind: StatefulSet, name: db}}}
---
{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: queue, namespace: bank}, spec: {scaleTargetRef: {name: web}}}
---
{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: keda-hpa-queue, namespace: bank,
  ownerReferences: [{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, name: queue, controller: true}]},
  spec: {maxReplicas: 9, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}
`

// TestCluster: each workload has those that scale it, whatever their kind, and
// what is wrong with either.
func TestCluster(t *testing.T) {
	var c Cluster
	for text := range strings.SplitSeq(objects, "---") {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil {
			t.Fatal(err)
		}
		if err := c.Add(object); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	problems := map[string]int{}
	for _, w := range c.Workloads() {
		line := w.Kind + " " + w.String()
		for _, a := range w.Autoscalers {
			line += ", " + a.Kind + " " + a.Name
		}
		got = append(got, line)
		problems[w.String()] = len(w.Problems)
	}
	want := []string{
		"Deployment bank/web, ScaledObject queue",
		"StatefulSet shop/db, VerticalPodAutoscaler sizes",
		"Deployment shop/web, HorizontalPodAutoscaler web",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if problems["shop/web"] == 0 {
		t.Error("web requests no cpu, of which its HPA needs a share: lint says so")
	}
}
