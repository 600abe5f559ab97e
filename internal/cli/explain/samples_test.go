package explain

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const ofWeb = "{apiVersion: apps/v1, kind: Deployment, name: web}"

// TestSamples: every kind that convert reads is explained as it stands.
func TestSamples(t *testing.T) {
	for name, c := range map[string]struct{ input, want string }{
		"ours": {"kind: WorkloadAutoscaler\napiVersion: autoscaling.tidemark.dev/v1alpha1\nmetadata: {name: web}\nspec: {targetRef: " + ofWeb +
			", replicas: {min: 2, max: 20}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}", "10    130 % of the upper mark"},
		"an HPA": {"kind: HorizontalPodAutoscaler\napiVersion: autoscaling/v2\nmetadata: {name: web}\nspec: {scaleTargetRef: " + ofWeb +
			", minReplicas: 2, maxReplicas: 20, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]}", "13    AboveTarget"},
		"a ScaledObject": {"kind: ScaledObject\napiVersion: keda.sh/v1alpha1\nmetadata: {name: web}\nspec: {scaleTargetRef: {name: web}, minReplicaCount: 2, " +
			"maxReplicaCount: 20, triggers: [{type: cpu, metadata: {value: \"60\"}}]}", "13    AboveTarget"},
		"a WPA": {"kind: WatermarkPodAutoscaler\napiVersion: datadoghq.com/v1alpha1\nmetadata: {name: web}\nspec: {scaleTargetRef: " + ofWeb +
			", minReplicas: 2, maxReplicas: 20, algorithm: average, metrics: [{type: Resource, resource: {name: cpu, lowWatermark: 400m, highWatermark: 700m}}]}", "WithinWatermarks"},
		"a Tortoise": {"kind: Tortoise\napiVersion: autoscaling.mercari.com/v1beta3\nmetadata: {name: web}\nspec: {targetRefs: {scaleTargetRef: " + ofWeb + "}}", "AboveTarget"},
		"an Hvpa": {"kind: Hvpa\napiVersion: autoscaling.k8s.io/v1alpha1\nmetadata: {name: web}\nspec: {targetRef: " + ofWeb +
			", hpa: {deploy: true, template: {spec: {maxReplicas: 20, metrics: [{type: Resource, resource: {name: cpu, targetAverageUtilization: 60}}]}}}}", "AboveTarget"},
		"a VPA": {"kind: VerticalPodAutoscaler\napiVersion: autoscaling.k8s.io/v1\nmetadata: {name: web}\nspec: {targetRef: " + ofWeb + "}", "There is no metric to decide by"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "web.yaml")
			if err := os.WriteFile(file, []byte(c.input), 0o600); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			cmd := New()
			cmd.SetOut(&out)
			cmd.SetErr(&errs)
			cmd.SetArgs([]string{"-f", file})
			if err := cmd.Execute(); err != nil || !strings.Contains(out.String(), c.want) {
				t.Errorf("want %q, got %v: %s%s", c.want, err, out.String(), errs.String())
			}
		})
	}
}
