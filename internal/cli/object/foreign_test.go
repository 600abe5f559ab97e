package object

import (
	"strings"
	"testing"

	"github.com/tidemark/tidemark/fault"
)

const (
	aDeployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1, replicas: 2}\n---\n"
	anHPA       = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n  maxReplicas: 7\n  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]\n"
	aVPA        = "---\napiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\nmetadata: {name: web}\nspec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n"
	aWPA        = "apiVersion: datadoghq.com/v1alpha1\nkind: WatermarkPodAutoscaler\nmetadata: {name: web}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 7, metrics: [{type: External, external: {metricName: lag, lowWatermark: 10, highWatermark: 20}}]}\n"
	aKEDA       = "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: web}\nspec: {scaleTargetRef: {name: web}, maxReplicaCount: 7, triggers: [{type: cpu, metricType: Utilization, metadata: {value: '60'}}, {type: kafka, metadata: {lagThreshold: '5'}}]}\n"
	aTortoise   = "apiVersion: autoscaling.mercari.com/v1beta3\nkind: Tortoise\nmetadata: {name: web}\nspec: {targetRefs: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}, maxReplicas: 7}\n"
	anHvpa      = "apiVersion: autoscaling.k8s.io/v1alpha1\nkind: Hvpa\nmetadata: {name: web}\nspec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, hpa: {deploy: true, template: {spec: {maxReplicas: 7, metrics: [{type: Resource, resource: {name: cpu, targetAverageUtilization: 60}}]}}}}\n"
	anObject    = "apiVersion: autoscaling.tidemark.dev/v1alpha1\nkind: WorkloadAutoscaler\nmetadata: {name: web}\nspec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, replicas: {max: 7}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}\n"
)

func anything(Object) fault.List { return nil }

// TestObjectsOfOthers are read as what they are converted to.
func TestObjectsOfOthers(t *testing.T) {
	for name, c := range map[string]struct{ input, note string }{
		"an HPA":               {anHPA, "the HorizontalPodAutoscaler web is read as what tidemark convert makes of it"},
		"beside its workload":  {aDeployment + anHPA, "HorizontalPodAutoscaler web"},
		"an HPA and a VPA":     {anHPA + aVPA, "VerticalPodAutoscaler web"},
		"a WPA":                {aWPA, "WatermarkPodAutoscaler web"},
		"a ScaledObject":       {aKEDA, "spec.triggers[1] is not carried: "},
		"a Tortoise":           {aTortoise, "Tortoise web"},
		"an Hvpa":              {anHvpa, "Hvpa web"},
		"an object of our own": {anObject, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, faults := Read([]byte(c.input), anything)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			if got.Name != "web" || got.Spec.Replicas.Max == nil || *got.Spec.Replicas.Max != 7 {
				t.Errorf("want the maximum of web, got %q, %+v", got.Name, got.Spec.Replicas)
			}
			if notes := strings.Join(got.Notes, "\n"); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
				t.Errorf("want a note of %q, got %q", c.note, notes)
			}
			if sized := len(got.Spec.Containers) > 0; name == "an HPA and a VPA" && !sized {
				t.Error("want the sizes of the VPA")
			}
		})
	}
}

func TestObjectsOfOthersThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct{ input, want string }{
		"two HPAs":            {anHPA + "---\n" + anHPA, "the input holds several autoscalers"},
		"ours and another":    {anObject + "---\n" + anHPA, "the input holds several autoscalers"},
		"an unknown version":  {strings.ReplaceAll(anHPA, "autoscaling/v2", "autoscaling/v3"), `apiVersion: "autoscaling/v3" is not read`},
		"a fault with a line": {strings.ReplaceAll(anHPA, "maxReplicas: 7", "maxReplicas: many"), "(line 6)"},
	} {
		t.Run(name, func(t *testing.T) {
			_, faults := Read([]byte(c.input), anything)
			if len(faults) == 0 || !strings.Contains(faults[0].String(), c.want) {
				t.Errorf("want %q, got %v", c.want, faults)
			}
		})
	}
}
