package object

import (
	"strings"
	"testing"

	"github.com/tidemark/tidemark/fault"
)

const (
	aRef        = "{apiVersion: apps/v1, kind: Deployment, name: web}"
	aDeployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1, replicas: 2}\n---\n"
	anHPA       = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: ` + aRef + `
  maxReplicas: 7
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]
`
	aVPA = `---
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: web}
spec: {targetRef: ` + aRef + `}
`
	aWPA = `apiVersion: datadoghq.com/v1alpha1
kind: WatermarkPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: ` + aRef + `
  maxReplicas: 7
  metrics: [{type: External, external: {metricName: lag, lowWatermark: 10, highWatermark: 20}}]
`
	aKEDA = `apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web}
spec:
  scaleTargetRef: {name: web}
  maxReplicaCount: 7
  triggers:
  - {type: cpu, metricType: Utilization, metadata: {value: '60'}}
  - {type: kafka, metadata: {lagThreshold: '5'}}
`
	aTortoise = `apiVersion: autoscaling.mercari.com/v1beta3
kind: Tortoise
metadata: {name: web}
spec: {targetRefs: {scaleTargetRef: ` + aRef + `}, maxReplicas: 7}
`
	anHvpa = `apiVersion: autoscaling.k8s.io/v1alpha1
kind: Hvpa
metadata: {name: web}
spec:
  targetRef: ` + aRef + `
  hpa:
    deploy: true
    template: {spec: {maxReplicas: 7, metrics: [{type: Resource, resource: {name: cpu, targetAverageUtilization: 60}}]}}
`
	anObject = `apiVersion: autoscaling.tidemark.dev/v1alpha1
kind: WorkloadAutoscaler
metadata: {name: web}
spec:
  targetRef: ` + aRef + `
  replicas: {max: 7}
  metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]
`
)

func anything(Object) fault.List { return nil }

// TestObjectsOfOthers are read as what they are converted to.
func TestObjectsOfOthers(t *testing.T) {
	for name, c := range map[string]struct{ input, note string }{
		"an HPA":                        {anHPA, "the HorizontalPodAutoscaler web is read as what tidemark convert makes of it"},
		"beside its workload":           {aDeployment + anHPA, "HorizontalPodAutoscaler web"},
		"an HPA and a VPA":              {anHPA + aVPA, "VerticalPodAutoscaler web"},
		"a ScaledObject and KEDA's HPA": {aKEDA + "---\n" + strings.ReplaceAll(anHPA, "{name: web}\nspec", "{name: keda-hpa-web}\nspec"), "ScaledObject web"},
		"a ScaledObject and an HPA":     {anHPA + "---\n" + aKEDA, "HorizontalPodAutoscaler web"},
		"a WPA":                         {aWPA, "WatermarkPodAutoscaler web"},
		"a ScaledObject":                {aKEDA, "spec.triggers[1] is not carried: "},
		"a Tortoise":                    {aTortoise, "Tortoise web"},
		"an Hvpa":                       {anHvpa, "Hvpa web"},
		"an object of our own":          {anObject, ""},
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
		"a contradiction":     {strings.ReplaceAll(anHPA, "maxReplicas: 7", "maxReplicas: 9") + "---\n" + aKEDA, "the ScaledObject's maximum is 7 and the HPA's is 9"},
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
