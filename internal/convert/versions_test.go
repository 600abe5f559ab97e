package convert

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestVersions: every version of every kind is converted, or refused with a reason.
func TestVersions(t *testing.T) {
	const vpa = `"kind": "VerticalPodAutoscaler", "metadata": {"name": "web", "annotations": null}, "spec": {`
	const keda = `"kind": "ScaledObject", "metadata": {"name": "web"}, "spec": {`
	const target = `"targetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}`
	const triggers = `"triggers": [{"type": "prometheus", "metadata": {"serverAddress": "http://p:9090", "metricName": "x", "threshold": "10", "query": "sum(x)"}}]`
	for name, c := range map[string]struct {
		document string
		lost     string
		refused  string
	}{
		"VPA v1beta2":               {`{"apiVersion": "autoscaling.k8s.io/v1beta2", ` + vpa + target + `}}`, "", ""},
		"VPA v1beta1":               {`{"apiVersion": "autoscaling.k8s.io/v1beta1", ` + vpa + `"selector": {"matchLabels": {"app": "web"}}}}`, "", "spec.selector: names pods by their labels"},
		"VPA v1beta1 with a target": {`{"apiVersion": "autoscaling.k8s.io/v1beta1", ` + vpa + target + `, "selector": {"matchLabels": {"app": "web"}}}}`, "", ""},
		"VPA v1alpha1":              {`{"apiVersion": "poc.autoscaling.k8s.io/v1alpha1", ` + vpa + target + `}}`, "", "apiVersion: \"poc.autoscaling.k8s.io/v1alpha1\" is not read: a VerticalPodAutoscaler is read of"},
		"KEDA 1":                    {`{"apiVersion": "keda.k8s.io/v1alpha1", ` + keda + `"scaleType": "deployment", "scaleTargetRef": {"deploymentName": "web"}, ` + triggers + `}}`, "", ""},
		"KEDA 1 with variables":     {`{"apiVersion": "keda.k8s.io/v1alpha1", ` + keda + `"scaleTargetRef": {"deploymentName": "web", "containerName": "app"}, ` + triggers + `}}`, "spec.scaleTargetRef.containerName", ""},
		"KEDA 1 makes Jobs":         {`{"apiVersion": "keda.k8s.io/v1alpha1", ` + keda + `"scaleType": "job", "jobTargetRef": {}, ` + triggers + `}}`, "", "makes Jobs"},
		"HPA v2alpha1":              {`{"apiVersion": "autoscaling/v2alpha1", "kind": "HorizontalPodAutoscaler"}`, "", "autoscaling/v2alpha1"},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := Convert([]byte(c.document))
			if c.refused != "" {
				if err == nil || errors.Is(err, ErrUnknownKind) || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("want a refusal with %q, got %v", c.refused, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if ref := result.Object.(*v1alpha1.WorkloadAutoscaler).Spec.TargetRef; ref.Kind != "Deployment" || ref.Name != "web" || ref.APIVersion != "apps/v1" {
				t.Errorf("want the workload, got %+v", ref)
			}
			var lost []string
			for _, f := range result.Report.Losses() {
				lost = append(lost, f.Path)
			}
			if strings.Join(lost, " ") != c.lost {
				t.Errorf("want %q to be lost, got %q", c.lost, lost)
			}
		})
	}
}

// TestWhatKEDA1Keeps is written for KEDA 2, which can scale our object.
func TestWhatKEDA1Keeps(t *testing.T) {
	result, err := Convert([]byte(`{"apiVersion": "keda.k8s.io/v1alpha1", "kind": "ScaledObject", "metadata": {"name": "web"},
		"spec": {"scaleTargetRef": {"deploymentName": "web"}, "triggers": [{"type": "kafka", "metadata": {"lagThreshold": "5"}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	spec, _ := result.Beside["spec"].(map[string]any)
	ref, _ := spec["scaleTargetRef"].(map[string]any)
	if result.Beside["apiVersion"] != "keda.sh/v1alpha1" || ref["kind"] != "WorkloadAutoscaler" {
		t.Errorf("want a ScaledObject of KEDA 2 that points at the object, got %v", result.Beside)
	}
}

// TestEmptyFields: a field that is known and says nothing is no loss, and one that is not
// known is.
func TestEmptyFields(t *testing.T) {
	const target = `"TARGET": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}`
	for name, c := range map[string]struct{ version, kind, target, spec, lost string }{
		"metrics of an HPA":       {"autoscaling/v2", "HorizontalPodAutoscaler", "scaleTargetRef", `"maxReplicas": 3, "metrics": [], "behavior": {}`, ""},
		"metrics of an older HPA": {"autoscaling/v2beta1", "HorizontalPodAutoscaler", "scaleTargetRef", `"maxReplicas": 3, "metrics": []`, ""},
		"policies of a VPA":       {"autoscaling.k8s.io/v1", "VerticalPodAutoscaler", "targetRef", `"updatePolicy": {}, "resourcePolicy": {}`, ""},
		"triggers of KEDA":        {"keda.sh/v1alpha1", "ScaledObject", "scaleTargetRef", `"triggers": [], "advanced": {}`, ""},
		"a field of nobody":       {"autoscaling/v2", "HorizontalPodAutoscaler", "scaleTargetRef", `"maxReplicas": 3, "metrix": []`, "spec.metrix"},
	} {
		t.Run(name, func(t *testing.T) {
			got := mustConvert(t, `{"apiVersion": "`+c.version+`", "kind": "`+c.kind+`", "metadata": {"name": "web"}, "spec": {`+strings.ReplaceAll(target, "TARGET", c.target)+`, `+c.spec+`}}`)
			var lost []string
			for _, f := range got.Report.Losses() {
				lost = append(lost, f.Path)
			}
			if strings.Join(lost, " ") != c.lost {
				t.Errorf("want %q lost, got %q", c.lost, lost)
			}
		})
	}
}
